/** A stretch of time, and its form in the address: `start-end` in nanoseconds. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Read `start-end`; anything else, or an empty stretch, is no range. */
export function parseRange(text: string): Range | null {
  const match = /^(\d+)-(\d+)$/.exec(text);
  if (!match) return null;
  const start = Number(match[1]);
  const end = Number(match[2]);
  return end > start && Number.isSafeInteger(end) ? { start, end } : null;
}

/** The part of a range that lies within others; null where nothing does. */
export function within(range: Range | null, bounds: Range): Range | null {
  if (!range) return null;
  const start = Math.max(range.start, bounds.start);
  const end = Math.min(range.end, bounds.end);
  return end > start ? { start, end } : null;
}

/** Write a range in whole nanoseconds; no range is the empty string. */
export function formatRange(range: Range | null): string {
  return range ? `${Math.round(range.start)}-${Math.round(range.end)}` : "";
}

/** Scale a range by `factor` around `centre`, kept inside `bounds` and no shorter than `least`. */
export function zoomRange(
  range: Range,
  factor: number,
  centre: number,
  bounds: Range,
  least = 1000,
): Range {
  const span = Math.min(
    Math.max((range.end - range.start) * factor, Math.min(least, bounds.end - bounds.start)),
    bounds.end - bounds.start,
  );
  const share = (centre - range.start) / (range.end - range.start || 1);
  return shiftInto({ start: centre - share * span, end: centre + (1 - share) * span }, bounds);
}

/** Move a range by `distance`, stopping at the bounds with its length kept. */
export function panRange(range: Range, distance: number, bounds: Range): Range {
  return shiftInto({ start: range.start + distance, end: range.end + distance }, bounds);
}

function shiftInto(range: Range, bounds: Range): Range {
  const span = Math.min(range.end - range.start, bounds.end - bounds.start);
  const start = Math.min(Math.max(range.start, bounds.start), bounds.end - span);
  return { start, end: start + span };
}
