/** The entry of a report file: the whole page as one classic script beside the data it shows. */
import { render } from "./main.tsx";

render();
