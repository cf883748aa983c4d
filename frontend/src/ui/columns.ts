/** What a table's column is, and which columns fit. */
import type { ComponentChildren } from "preact";
import type { Cell } from "../lib/filter.ts";

export interface Column<R> {
  /** Lower case: the name in filters, addresses and files. */
  key: string;
  title: string;
  /** Wanted width in pixels; the first column also takes what is left over. */
  width: number;
  numeric?: boolean;
  /** Higher goes first when the table is narrow; 0 always stays. */
  spare?: number;
  hint?: string;
  value: (row: R) => Cell;
  show: (row: R) => ComponentChildren;
}

const GAP = 16;
const PADDING = 16;

/** The columns that fit `width`, leaving out the most sparable first. */
export function fitting<R>(columns: readonly Column<R>[], width: number): Column<R>[] {
  const kept = [...columns];
  const needed = () => kept.reduce((sum, column) => sum + column.width + GAP, PADDING - GAP);
  while (needed() > width) {
    const worst = kept.reduce((most, column) => Math.max(most, column.spare ?? 0), 0);
    if (worst === 0) break;
    kept.splice(
      kept.findLastIndex((column) => (column.spare ?? 0) === worst),
      1,
    );
  }
  return kept;
}

/** On a wide screen figures stay near the name that they belong to. */
const WIDEST_FIRST = 640;

/** The grid tracks: the first column stretches. */
export function tracks<R>(columns: readonly Column<R>[]): string {
  return columns
    .map(({ width }, index) =>
      index === 0 ? `minmax(${width}px, ${Math.max(width, WIDEST_FIRST)}px)` : `${width}px`,
    )
    .join(" ");
}
