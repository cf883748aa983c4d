import{wa as r}from"./chunks/chunk-66B4Q77D.js";export{r as render};
