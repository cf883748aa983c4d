import{Na as r}from"./chunks/chunk-K4HAFC3Q.js";export{r as render};
