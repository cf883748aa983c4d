import{va as r}from"./chunks/chunk-XOTIOLAR.js";export{r as render};
