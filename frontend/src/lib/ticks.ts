/** Places for axis labels, round in the unit that people read. */

/** Binary-unit ticks from 0: powers of two and their halves, about `count` of them. */
export function byteTicks(low: number, high: number, count: number): number[] {
  const span = high - low;
  if (!(span > 0)) return [low];
  let step = 2 ** Math.round(Math.log2(span / Math.max(1, count)));
  if (step < 1) step = 1;
  return evenly(low, high, step);
}

/** Ticks at 1, 2 or 5 times a power of ten. */
export function decimalTicks(low: number, high: number, count: number): number[] {
  const span = high - low;
  if (!(span > 0)) return [low];
  const rough = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  return evenly(low, high, step);
}

/** Every n-th of `length` positions so that about `count` remain; n is 1, 2 or 5 times a power of ten. */
export function everyNth(length: number, count: number): number {
  const rough = Math.max(1, length / Math.max(1, count));
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? 1;
}

function evenly(low: number, high: number, step: number): number[] {
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  return Array.from(
    { length: Math.max(0, last - first + 1) },
    (_, index) => (first + index) * step,
  );
}
