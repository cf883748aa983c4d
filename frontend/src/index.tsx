/** The entry that TensorBoard imports: it calls `render()` once, when the tab is first opened. */
export { render } from "./main.tsx";
