import{va as r}from"./chunks/chunk-DSBKXD5N.js";export{r as render};
