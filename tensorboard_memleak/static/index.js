import{$a as r}from"./chunks/chunk-34KNJCQV.js";export{r as render};
