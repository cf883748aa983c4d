/** Bars for steps: one each while they fit, else neighbours share one and the tallest is shown. */
import { bytes, counted, grouped } from "./numbers.ts";

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly height: number;
}

/** Put `values` into at most `most` bins of whole neighbours; a bin is as high as its highest. */
export function binned(values: readonly number[], most: number): Bin[] {
  const each = Math.max(1, Math.ceil(values.length / Math.max(1, most)));
  const bins: Bin[] = [];
  for (let from = 0; from < values.length; from += each) {
    const to = Math.min(from + each, values.length) - 1;
    bins.push({ from, to, height: highest(values, from, to) });
  }
  return bins;
}

function highest(values: readonly number[], from: number, to: number): number {
  let most = 0;
  for (let i = from; i <= to; i += 1) most = Math.max(most, values[i] ?? 0);
  return most;
}

/** The steps of a bar, by their numbers. */
function stepsOf({ from, to }: Bin, numbers: readonly number[]): string {
  return from === to ? `step ${numbers[from]}` : `steps ${numbers[from]} to ${numbers[to]}`;
}

/** What a bar of survivors says: all that its steps made. */
export function survivorText(
  bin: Bin,
  numbers: readonly number[],
  blocks: readonly number[],
  sizes: readonly number[],
): string {
  const sum = (values: readonly number[]) =>
    values.slice(bin.from, bin.to + 1).reduce((total, value) => total + value, 0);
  return `${stepsOf(bin, numbers)}: ${counted(sum(blocks), "block")}, ${bytes(sum(sizes))}`;
}

/** What a bar of bytes handed on says: no sum, for each step hands on all there is. */
export function handedText(bin: Bin, numbers: readonly number[]): string {
  const most = bin.from === bin.to ? "" : "at most ";
  return `${stepsOf(bin, numbers)}: ${most}${bytes(bin.height)}`;
}

/** How regular survivors are, said in a few words: "1 in each of 30". */
export function survivorNote(blocks: readonly number[]): string {
  const held = blocks.filter((count) => count > 0);
  if (blocks.length === 0) return "no steps";
  if (held.length === 0) return "none";
  // no spread: an argument list of a hundred thousand steps overflows the stack
  const least = held.reduce((low, count) => Math.min(low, count));
  const most = highest(held, 0, held.length - 1);
  const each = least === most ? `${least}` : `${least} to ${most}`;
  if (held.length === blocks.length) return `${each} in each of ${grouped(blocks.length)}`;
  return `${each} in ${grouped(held.length)} of ${grouped(blocks.length)}`;
}
