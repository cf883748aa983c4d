/**
 * Memory over time, painted. The ground is free memory, striped by steps; growth is drawn on the
 * troughs, where it is true.
 */
import type { TimelinePayload } from "../api/wire.ts";
import { bytes, duration } from "../lib/numbers.ts";
import type { Range } from "../lib/range.ts";
import { firstStep, stepTicks } from "../lib/steps.ts";
import { byteTicks, decimalTicks } from "../lib/ticks.ts";
import { type Corner, type Line, trace } from "../lib/trace.ts";
import type { Brush } from "./brush.ts";
import type { Pen } from "./Surface.tsx";
import type { TimelineLines } from "./timelineLines.ts";

export interface TimelineMarks {
  at: number | null;
  range: Range | null;
  capacity: number | null;
  wholeCapacity: boolean;
  /** Bytes live of the chosen site, which hold from one time to the next. */
  site: Line | null;
}

export interface Scene {
  readonly payload: TimelinePayload;
  readonly lines: TimelineLines;
  readonly marks: TimelineMarks;
  readonly view: Range;
}

/** Room for the labels of bytes on the left, of time below, and above and beside the plot. */
export const SIDE_PX = { left: 64, right: 12, top: 8, bottom: 24 };

const HEADROOM = 1.08;
/** Finer stripes than this would shimmer: the ground is then plain. */
const FINEST_STRIPE_PX = 3;
const TICK_ROOM_PX = { x: 110, y: 50 };

/** From time and bytes to places in the plot; what lies outside is put on its edge. */
class Plot {
  readonly left = SIDE_PX.left;
  readonly top = SIDE_PX.top;
  readonly width: number;
  readonly height: number;
  /** Bytes at the upper edge. */
  readonly most: number;

  constructor(
    pen: { readonly width: number; readonly height: number },
    private readonly view: Range,
    { marks, lines }: Pick<Scene, "marks" | "lines">,
  ) {
    this.width = Math.max(1, pen.width - this.left - SIDE_PX.right);
    this.height = Math.max(1, pen.height - this.top - SIDE_PX.bottom);
    const whole = marks.wholeCapacity ? marks.capacity : null;
    this.most = whole ?? lines.most * HEADROOM;
  }

  get floor(): number {
    return this.top + this.height;
  }

  x(time: number): number {
    const { start, end } = this.view;
    const share = (time - start) / (end - start || 1);
    return this.left + Math.min(Math.max(share, 0), 1) * this.width;
  }

  y(size: number, most = this.most): number {
    return this.floor - Math.min(Math.max(size / most, 0), 1) * this.height;
  }
}

export function paintTimeline(pen: Pen, scene: Scene): void {
  const plot = new Plot(pen, scene.view, scene);
  const { ctx, palette } = pen;
  const { lines, marks, view, payload } = scene;
  const stepped = (line: Line) => trace(line, view, lines.joined);
  ground(pen, scene, plot);
  const heap = stepped(lines.top);
  area(ctx, plot, heap, palette["heap-fill"]);
  stroke(ctx, plot, heap, palette.heap, 1.25);
  area(ctx, plot, stepped(lines.stack), palette.stack);
  ctx.setLineDash([4, 3]);
  stroke(ctx, plot, stepped(lines.fragmentation), palette.fragmentation, 1, 1);
  ctx.setLineDash([]);
  if (payload.growth) {
    const { time_ns: times, bytes: values } = payload.growth.columns;
    stroke(ctx, plot, trace({ times, values }, view, true), palette.alarm, 1.75);
  }
  if (marks.site) stroke(ctx, plot, trace(marks.site, view), palette.accent, 1.5);
  axes(pen, scene, plot);
  chosen(pen, marks, plot, view);
}

function follow(ctx: Brush, plot: Plot, piece: readonly Corner[], most?: number): void {
  for (const [i, [time, value]] of piece.entries()) {
    if (i === 0) ctx.moveTo(plot.x(time), plot.y(value, most));
    else ctx.lineTo(plot.x(time), plot.y(value, most));
  }
}

function stroke(
  ctx: Brush,
  plot: Plot,
  pieces: readonly (readonly Corner[])[],
  colour: string,
  width: number,
  most?: number,
): void {
  ctx.beginPath();
  for (const piece of pieces) follow(ctx, plot, piece, most);
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.stroke();
}

function area(
  ctx: Brush,
  plot: Plot,
  pieces: readonly (readonly Corner[])[],
  colour: string,
): void {
  ctx.beginPath();
  for (const piece of pieces) {
    follow(ctx, plot, piece);
    ctx.lineTo(plot.x(piece.at(-1)?.[0] ?? 0), plot.floor);
    ctx.lineTo(plot.x(piece[0]?.[0] ?? 0), plot.floor);
  }
  ctx.fillStyle = colour;
  ctx.fill();
}

/** Free memory as the ground, its stripes the steps; nothing above the capacity. */
function ground({ ctx, palette }: Pen, { payload, marks, view }: Scene, plot: Plot): void {
  const { steps } = payload;
  const ceiling = plot.y(marks.capacity ?? plot.most);
  const height = plot.floor - ceiling;
  const [first, end] = [firstStep(steps, view.start), firstStep(steps, view.end)];
  const fine = plot.width < (end - first) * FINEST_STRIPE_PX;
  ctx.fillStyle = fine ? palette.free : palette["free-alt"];
  ctx.fillRect(plot.left, ceiling, plot.width, height);
  if (fine) return;
  ctx.fillStyle = palette.free;
  for (let i = first; i < steps.start_ns.length; i += 1) {
    const start = steps.start_ns[i] ?? 0;
    if (start > view.end) break;
    if ((steps.number[i] ?? i) % 2 !== 0) continue;
    const from = plot.x(start);
    ctx.fillRect(from, ceiling, plot.x(steps.end_ns[i] ?? start) - from, height);
  }
}

function axes({ ctx, palette, height }: Pen, { payload, view }: Scene, plot: Plot): void {
  ctx.fillStyle = palette.faint;
  ctx.textAlign = "right";
  ctx.textBaseline = "middle";
  for (const size of byteTicks(0, plot.most, Math.max(2, height / TICK_ROOM_PX.y))) {
    ctx.fillText(size === 0 ? "0" : bytes(size), plot.left - 6, plot.y(size));
  }
  ctx.textAlign = "center";
  ctx.textBaseline = "top";
  const room = Math.max(2, plot.width / TICK_ROOM_PX.x);
  for (const [time, text] of timeTicks(payload, view, room)) {
    ctx.fillText(text, plot.x(time), plot.floor + 6);
  }
}

/** Steps where at least two are in sight, else times. */
function timeTicks({ steps }: TimelinePayload, view: Range, room: number): [number, string][] {
  const marked = stepTicks(steps, view, room);
  return marked.length >= 2
    ? marked.map(({ time, number }) => [time, `step ${number}`])
    : decimalTicks(view.start, view.end, room).map((time) => [time, duration(time)]);
}

/** The picked stretch and the chosen moment, where they are in sight. */
function chosen({ ctx, palette }: Pen, { range, at }: TimelineMarks, plot: Plot, view: Range) {
  ctx.fillStyle = palette.accent;
  ctx.strokeStyle = palette.accent;
  ctx.lineWidth = 1;
  if (range && range.end > view.start && range.start < view.end) {
    const [from, to] = [plot.x(range.start), plot.x(range.end)];
    ctx.globalAlpha = 0.14;
    ctx.fillRect(from, plot.top, to - from, plot.height);
    ctx.globalAlpha = 1;
    ctx.strokeRect(from, plot.top, to - from, plot.height);
  }
  if (at !== null && at >= view.start && at <= view.end) {
    ctx.fillRect(plot.x(at) - 1, plot.top, 2, plot.height);
  }
}
