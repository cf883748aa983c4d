/** Small drawing that several charts share: names inside boxes, and what colours stand for. */
import type { Shade } from "../lib/shades.ts";
import type { Brush } from "./brush.ts";
import type { Palette } from "./palette.ts";

export type { Shade };

/** The colour of the n-th most important thing; all beyond the palette share the last, a grey. */
export function shadeColour(palette: Palette, shade: Shade): string {
  if (typeof shade === "string") return palette[shade];
  const last = palette.series.length - 1;
  return palette.series[shade === undefined ? last : Math.min(shade, last)] ?? palette.quiet;
}

/** How strongly large areas are filled: the verdict alone is loud. */
export const TINT = 0.42;

/** Write a name into a box if at least a few letters of it fit; cut at the end by "…". */
export function fitText(ctx: Brush, text: string, x: number, y: number, room: number): void {
  if (room < 24) return;
  let shown = text;
  const width = ctx.measureText(text).width;
  if (width > room) {
    const letters = Math.floor((text.length * (room - 8)) / width);
    if (letters < 2) return;
    shown = `${text.slice(0, letters)}…`;
  }
  ctx.fillText(shown, x, y);
}

/** Boxes longer than this leave a hairline of ground between them. */
export const ROOMY_PX = 4;
const HAIRLINE_PX = 0.5;

/** How long to draw a box, so that neighbours can be told apart and none vanishes. */
export function shrunk(length: number): number {
  return Math.max(1, length > ROOMY_PX ? length - HAIRLINE_PX : length);
}
