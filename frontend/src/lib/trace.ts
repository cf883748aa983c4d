/** The part of a line over time that is in sight, cut at the edges where the line passes them. */
import type { Range } from "./range.ts";
import { lastAt } from "./search.ts";

export interface Line {
  /** Ascending. */
  readonly times: readonly number[];
  /** As long as `times`; null where nothing is known, which breaks the line. */
  readonly values: readonly (number | null)[];
}

export type Corner = readonly [time: number, value: number];

/**
 * The corners to draw, an array for each unbroken piece. A line that is not `joined` holds each
 * value until the next, the last one to the end; a joined one runs straight from value to value.
 */
export function trace({ times, values }: Line, view: Range, joined = false): Corner[][] {
  const pieces: Corner[][] = [];
  let piece: Corner[] = [];
  const valueAt = (index: number, time: number): number | null => {
    const [here = null, next = null] = [values[index], values[index + 1]];
    if (!joined || here === null) return here;
    if (next === null) return null;
    const [from = 0, to = 0] = [times[index], times[index + 1]];
    return here + ((next - here) * (time - from)) / (to - from || 1);
  };
  const add = (time: number, value: number | null) => {
    if (value !== null) piece.push([time, value]);
  };
  const close = () => {
    if (piece.length > 1) pieces.push(piece);
    piece = [];
  };
  for (let i = Math.max(0, lastAt(times, view.start)); i < times.length; i += 1) {
    const [time = 0, next] = [times[i], times[i + 1]];
    const value = values[i] ?? null;
    if (time > view.end) break;
    if (value === null) {
      close();
      continue;
    }
    if (time >= view.start) add(time, value);
    else if (next !== undefined || !joined) add(view.start, valueAt(i, view.start));
    if (next === undefined) {
      if (!joined) add(view.end, value);
      break;
    }
    if (next > view.end) add(view.end, valueAt(i, view.end));
    else if (!joined) add(next, value);
  }
  close();
  return pieces;
}

/** Of each of `bins` equal stretches its highest value, at its time; the rest is left out. */
export function highest({ times, values }: Line, bins: number): Line {
  const [first = 0] = times;
  const each = ((times.at(-1) ?? first) - first) / bins || 1;
  const best = new Map<number, number>();
  for (const [i, time] of times.entries()) {
    const bin = Math.floor((time - first) / each);
    const held = best.get(bin);
    if (held === undefined || (values[i] ?? 0) > (values[held] ?? 0)) best.set(bin, i);
  }
  const kept = [...best.values()];
  return {
    times: kept.map((index) => times[index] ?? 0),
    values: kept.map((index) => values[index] ?? null),
  };
}
