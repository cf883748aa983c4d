import{wa as r}from"./chunks/chunk-Q4VUNXMR.js";export{r as render};
