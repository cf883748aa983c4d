import{Ta as r}from"./chunks/chunk-3IZXYIS2.js";export{r as render};
