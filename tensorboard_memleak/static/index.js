import{wa as r}from"./chunks/chunk-4CLLNFFS.js";export{r as render};
