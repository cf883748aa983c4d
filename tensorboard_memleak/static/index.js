import{va as r}from"./chunks/chunk-WHDXYMQI.js";export{r as render};
