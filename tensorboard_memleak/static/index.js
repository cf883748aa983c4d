import{wa as r}from"./chunks/chunk-WAQY6BFM.js";export{r as render};
