import{wa as r}from"./chunks/chunk-XYTPF66E.js";export{r as render};
