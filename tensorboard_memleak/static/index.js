import{wa as r}from"./chunks/chunk-RBI75WLX.js";export{r as render};
