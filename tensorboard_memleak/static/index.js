import{$a as r}from"./chunks/chunk-4YG2DDQL.js";export{r as render};
