import{Ta as r}from"./chunks/chunk-RIB25QJO.js";export{r as render};
