/** Which colour stands for which site, the same in every view. */
import type { FindingKind } from "../api/wire.ts";
import type { Ink } from "../charts/palette.ts";

/** What a colour stands for: a token of its own, or the rank among what shares the series. */
export type Shade = number | Ink | undefined;

/** A leak is red everywhere. The worst few differ in lightness; all beyond them share the last. */
export const LEAKS = ["alarm", "alarm-1", "alarm-2"] as const satisfies readonly Ink[];

export const isLeak = (shade: Shade): boolean => LEAKS.some((one) => one === shade);

interface Ranked {
  readonly index: number;
  readonly kind: FindingKind | null;
  readonly bytes_per_step: number | null;
  readonly peak_live_bytes: number;
}

/** Leaks by their rate; of the others findings come first, then what is large. */
export function shadesOf(rows: readonly Ranked[]): Map<number, Shade> {
  const minor = (row: Ranked) => (row.kind ? 0 : 1);
  const rate = (row: Ranked) => row.bytes_per_step ?? 0;
  const leaks = rows
    .filter((row) => row.kind === "growth")
    .sort((a, b) => rate(b) - rate(a) || b.peak_live_bytes - a.peak_live_bytes);
  const others = rows
    .filter((row) => row.kind !== "growth")
    .sort((a, b) => minor(a) - minor(b) || b.peak_live_bytes - a.peak_live_bytes);
  const last = LEAKS[LEAKS.length - 1];
  return new Map<number, Shade>([
    ...leaks.map((row, rank) => [row.index, LEAKS[rank] ?? last] as const),
    ...others.map((row, rank) => [row.index, rank] as const),
  ]);
}
