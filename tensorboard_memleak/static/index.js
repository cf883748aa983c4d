import{xa as r}from"./chunks/chunk-73CAYP3N.js";export{r as render};
