import{Ta as r}from"./chunks/chunk-NHB6PWUE.js";export{r as render};
