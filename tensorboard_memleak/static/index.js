import{wa as r}from"./chunks/chunk-XCGB4NGW.js";export{r as render};
