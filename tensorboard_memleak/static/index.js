import{wa as r}from"./chunks/chunk-I5DGZGPL.js";export{r as render};
