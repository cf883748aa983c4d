import{ab as r}from"./chunks/chunk-UVP4SDIV.js";export{r as render};
