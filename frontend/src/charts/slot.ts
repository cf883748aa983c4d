/** Where a chart tells the figure around it how to save it. */
import { createContext } from "preact";

export interface Savable {
  /** The bitmap as it is on the screen. */
  readonly canvas: () => HTMLCanvasElement | null;
  /** The picture as SVG text. */
  readonly svg: () => string;
}

export const ChartSlot = createContext<{ current: Savable | null } | null>(null);
