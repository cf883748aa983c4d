import{Ma as r}from"./chunks/chunk-UFTCR6DO.js";export{r as render};
