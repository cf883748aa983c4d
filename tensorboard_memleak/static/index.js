import{$a as r}from"./chunks/chunk-SKW5P7S6.js";export{r as render};
