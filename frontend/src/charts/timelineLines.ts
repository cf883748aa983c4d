/** The lines of the timeline, made once for each answer of the server. */
import type { TimelinePayload } from "../api/wire.ts";
import { highest, type Line } from "../lib/trace.ts";

export interface TimelineLines {
  /** Heap on top of the stack. */
  readonly top: Line;
  readonly stack: Line;
  /** 0 to 1. */
  readonly fragmentation: Line;
  /** The highest value of `top`, at least 1. */
  readonly most: number;
  /** Sampled points are the lowest and highest of each pixel column: they are joined. */
  readonly joined: boolean;
}

/** Stretches over the width for a line that would else be a thicket: spikes stay, noise goes. */
const BINS = 240;

/**
 * The last values hold until the end: no event came after them. Where no event stands at or before
 * the start, there was none: `baseline`, the bytes in use before the first event, holds.
 */
export function timelineLines(payload: TimelinePayload, baseline: number | null): TimelineLines {
  const { time_ns, stack_bytes, heap_bytes, fragmentation } = payload.columns;
  const [first = payload.start_ns] = time_ns;
  const early = baseline !== null && first > payload.start_ns;
  const late = (time_ns.at(-1) ?? payload.end_ns) < payload.end_ns;
  const times = [
    ...(early ? [payload.start_ns] : []),
    ...time_ns,
    ...(late ? [payload.end_ns] : []),
  ];
  const line = (column: readonly (number | null)[], before: number | null): Line => ({
    times,
    values: [...(early ? [before] : []), ...column, ...(late ? [column.at(-1) ?? null] : [])],
  });
  const share = line(fragmentation, null);
  const heap = heap_bytes.map((size, i) => (size === null ? null : size + (stack_bytes[i] ?? 0)));
  const top = line(heap, baseline);
  return {
    top,
    stack: line(stack_bytes, null),
    fragmentation: payload.sampled ? highest(share, BINS) : share,
    most: top.values.reduce<number>((high, size) => Math.max(high, size ?? 0), 1),
    joined: payload.sampled,
  };
}
