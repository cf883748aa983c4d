/** Steps as columns: which one holds a moment, and which to label. */
import type { Range } from "./range.ts";
import { everyNth } from "./ticks.ts";

export interface StepColumns {
  readonly start_ns: readonly number[];
  readonly end_ns: readonly number[];
  readonly number: readonly number[];
}

/** The index of the first step that ends after `time`; the number of steps when none does. */
export function firstStep(steps: StepColumns, time: number): number {
  let low = 0;
  let high = steps.end_ns.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((steps.end_ns[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The step in progress at `time`, or null between steps. */
export function stepAt(steps: StepColumns, time: number): number | null {
  const index = firstStep(steps, time);
  const start = steps.start_ns[index];
  return start !== undefined && start <= time ? (steps.number[index] ?? null) : null;
}

/** The starts of every n-th step in sight, n chosen so that about `room` labels result. */
export function stepTicks(
  steps: StepColumns,
  view: Range,
  room: number,
): { time: number; number: number }[] {
  const first = firstStep(steps, view.start);
  let last = first;
  while (last < steps.start_ns.length && (steps.start_ns[last] ?? 0) <= view.end) last += 1;
  const nth = everyNth(last - first, room);
  const ticks: { time: number; number: number }[] = [];
  for (let index = first; index < last; index += 1) {
    const time = steps.start_ns[index] ?? 0;
    const number = steps.number[index] ?? index;
    if (time >= view.start && number % nth === 0) ticks.push({ time, number });
  }
  return ticks;
}
