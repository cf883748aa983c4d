import{wa as r}from"./chunks/chunk-2PEN4ZVS.js";export{r as render};
