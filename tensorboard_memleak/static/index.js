import{va as r}from"./chunks/chunk-7MWE2LBG.js";export{r as render};
