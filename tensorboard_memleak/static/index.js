import{xa as r}from"./chunks/chunk-RJIF2NNH.js";export{r as render};
