/** Lives as rectangles in flat arrays: what is drawn fast, and found fast under the pointer. */

/** Time (or program order) across, addresses upwards; one row a rectangle. */
export interface Rects {
  readonly start_ns: readonly number[];
  readonly end_ns: readonly number[];
  readonly offset: readonly number[];
  readonly size_bytes: readonly number[];
}

export interface Window {
  /** Time at the left and right edge. */
  readonly start: number;
  readonly end: number;
  /** Offset at the bottom and top edge. */
  readonly low: number;
  readonly high: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Where a window of time and offsets lies on the screen: linear both ways, offsets upwards. */
export function projection(view: Window, size: Size) {
  const across = size.width / (view.end - view.start || 1);
  const up = size.height / (view.high - view.low || 1);
  return {
    x: (time: number) => (time - view.start) * across,
    y: (offset: number) => size.height - (offset - view.low) * up,
    time: (x: number) => view.start + x / across,
    offset: (y: number) => view.low + (size.height - y) / up,
  };
}

/**
 * The index of the rectangle under a point, the smallest where several overlap; -1 for none. With
 * `slack` in the window's units a thin rectangle is found beside the point too. Linear: about a
 * millisecond for 100 000.
 */
export function hit(
  rects: Rects,
  time: number,
  offset: number,
  slack: { time: number; offset: number },
): number {
  const { start_ns, end_ns, offset: low, size_bytes } = rects;
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < start_ns.length; i += 1) {
    const start = start_ns[i] ?? 0;
    const end = end_ns[i] ?? 0;
    if (start - slack.time > time || end + slack.time < time) continue;
    const from = low[i] ?? 0;
    const size = size_bytes[i] ?? 0;
    if (from - slack.offset > offset || from + size + slack.offset < offset) continue;
    const area = (end - start) * size;
    if (area < least) {
      least = area;
      best = i;
    }
  }
  return best;
}

/** Rectangles that share a fill: few changes of colour, and what is strong lies on top. */
export interface Layer {
  readonly colour: string;
  readonly strength: number;
  readonly members: readonly number[];
}

/** Sort rectangles into layers by strength and colour, the weakest first. */
export function layersOf(
  count: number,
  colour: (i: number) => string,
  strength: (i: number) => number,
): Layer[] {
  const layers = new Map<string, { colour: string; strength: number; members: number[] }>();
  for (let i = 0; i < count; i += 1) {
    const fill = colour(i);
    const alpha = strength(i);
    const key = `${alpha} ${fill}`;
    const layer = layers.get(key);
    if (layer) layer.members.push(i);
    else layers.set(key, { colour: fill, strength: alpha, members: [i] });
  }
  return [...layers.values()].sort((a, b) => a.strength - b.strength);
}
