import{xa as r}from"./chunks/chunk-SJA6EGLQ.js";export{r as render};
