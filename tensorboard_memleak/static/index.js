import{Ta as r}from"./chunks/chunk-2HD3YLBF.js";export{r as render};
