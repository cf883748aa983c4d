import{$a as r}from"./chunks/chunk-SDFAR7WL.js";export{r as render};
