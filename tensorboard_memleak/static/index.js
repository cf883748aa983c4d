import{va as r}from"./chunks/chunk-U75CZF7C.js";export{r as render};
