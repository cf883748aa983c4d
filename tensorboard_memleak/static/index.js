import{wa as r}from"./chunks/chunk-SDCFUJ4K.js";export{r as render};
