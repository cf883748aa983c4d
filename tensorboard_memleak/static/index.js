import{Ta as r}from"./chunks/chunk-5ANY6J7A.js";export{r as render};
