/**
 * Memory over time, drawn by uPlot from what the server sent for the stretch in sight.
 *
 * Memory holds its value until the next event, so exact points are drawn as steps; sampled points
 * are the lowest and highest of each pixel column and are joined by lines. Growth is drawn on the
 * troughs, where it is true. The ground is free memory, striped by steps.
 */
import type uPlot from "uplot";

/** The library, fetched apart from the page: it is needed for this chart alone. */
export type Library = typeof uPlot;

import type { TimelinePayload } from "../api/wire.ts";
import { bytes, duration } from "../lib/numbers.ts";
import type { Range } from "../lib/range.ts";
import { firstStep, stepTicks } from "../lib/steps.ts";
import { byteTicks, decimalTicks } from "../lib/ticks.ts";
import { palette } from "./palette.ts";

export interface TimelineHooks {
  /** The pointer is over this time, or has left. */
  onCursor: (time: number | null) => void;
  /** A stretch was dragged; with shift it is picked, not zoomed to. */
  onDrag: (range: Range, picked: boolean) => void;
  /** A moment was clicked. */
  onClick: (time: number) => void;
}

export interface TimelineMarks {
  at: number | null;
  range: Range | null;
  capacity: number | null;
  /** Bytes in use before the first event. */
  baseline: number | null;
  wholeCapacity: boolean;
  /** Bytes live of the chosen site, which hold from one time to the next. */
  site: { readonly times: readonly number[]; readonly sizes: readonly number[] } | null;
}

const SIDE = 64;
const AXIS = 24;
const HEADROOM = 1.08;
/** Finer stripes than this would shimmer: the ground is then plain. */
const FINEST_STRIPE_PX = 3;

/** Bins over the width for a line that would else be a thicket. */
const BINS = 240;

/** Of each bin its highest value, at its place; the rest is left out. Spikes stay, noise goes. */
function highest(times: readonly number[], values: readonly (number | null)[]): (number | null)[] {
  const [first = 0] = times;
  const each = ((times.at(-1) ?? first) - first) / BINS || 1;
  const best = new Map<number, number>();
  for (const [i, time] of times.entries()) {
    const bin = Math.floor((time - first) / each);
    const held = best.get(bin);
    if (held === undefined || (values[i] ?? 0) > (values[held] ?? 0)) best.set(bin, i);
  }
  const kept = new Set(best.values());
  return values.map((value, i) => (kept.has(i) ? value : null));
}

/**
 * The lines to draw. The last values hold until the end: no event came after them. Where no event
 * stands at or before the start, there was none: the baseline holds.
 */
function series(payload: TimelinePayload, baseline: number | null): uPlot.AlignedData {
  const { time_ns, stack_bytes, heap_bytes, fragmentation } = payload.columns;
  const top = heap_bytes.map((heap, i) => (heap === null ? null : heap + (stack_bytes[i] ?? 0)));
  const open = (time_ns.at(-1) ?? payload.end_ns) < payload.end_ns;
  const hold = (column: readonly (number | null)[]) => {
    return open ? [...column, column.at(-1) ?? null] : [...column];
  };
  const times = open ? [...time_ns, payload.end_ns] : [...time_ns];
  const share = payload.sampled ? highest(time_ns, fragmentation) : fragmentation;
  const data = [times, hold(top), hold(stack_bytes), hold(share)];
  const [first = payload.start_ns] = time_ns;
  if (baseline !== null && first > payload.start_ns) {
    for (const [i, value] of [payload.start_ns, baseline, null, null].entries()) {
      data[i]?.unshift(value as number);
    }
  }
  return data as uPlot.AlignedData;
}

/** Equal in every field, one level deep. */
function same<T extends object>(a: T, b: T): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

export class TimelineChart {
  private readonly plot: uPlot;
  private shift = false;

  constructor(
    private readonly lib: Library,
    place: HTMLElement,
    height: number,
    private payload: TimelinePayload,
    private marks: TimelineMarks,
    private view: Range,
    private readonly hooks: TimelineHooks,
  ) {
    this.plot = new lib(
      this.options(place.clientWidth, height),
      series(payload, marks.baseline),
      place,
    );
    this.plot.over.addEventListener("pointerdown", (event) => {
      this.shift = event.shiftKey;
    });
  }

  /** Show other data, marks or stretch; what is the same costs nothing. */
  update(payload: TimelinePayload, marks: TimelineMarks, view: Range): void {
    const fresh = payload !== this.payload;
    if (!fresh && same(marks, this.marks) && same(view, this.view)) return;
    this.payload = payload;
    this.marks = marks;
    this.view = view;
    if (fresh) this.plot.setData(series(payload, marks.baseline), false);
    this.plot.setScale("x", { min: view.start, max: view.end });
  }

  resize(width: number, height: number): void {
    if (width > 0) this.plot.setSize({ width, height });
  }

  redraw(): void {
    this.plot.redraw(false, true);
  }

  /** Put the cursor at a time, as the pointer would. */
  pointAt(time: number): void {
    this.plot.setCursor({ left: this.plot.valToPos(time, "x"), top: 10 });
  }

  /** The time under a place on the page. */
  timeAt(clientX: number): number {
    return this.plot.posToVal(clientX - this.plot.over.getBoundingClientRect().left, "x");
  }

  /** How many pixel columns the server should think of. */
  get columns(): number {
    return Math.round(this.plot.over.clientWidth * (window.devicePixelRatio || 1));
  }

  destroy(): void {
    this.plot.destroy();
  }

  private top(): number {
    if (this.marks.wholeCapacity && this.marks.capacity !== null) return this.marks.capacity;
    const data = this.plot.data;
    let most = 1;
    for (const value of data[1] ?? []) if (typeof value === "number" && value > most) most = value;
    return most * HEADROOM;
  }

  private options(width: number, height: number): uPlot.Options {
    const ink = (name: keyof typeof palette.value) => () => palette.value[name] as string;
    const font = `11px ${getComputedStyle(document.body).fontFamily}`;
    const stepped = this.lib.paths.stepped?.({ align: 1 });
    const linear = this.lib.paths.linear?.();
    const path: uPlot.Series.PathBuilder = (u, index, from, to) =>
      (this.payload.sampled ? linear : stepped)?.(u, index, from, to) ?? null;
    const common = { points: { show: false }, paths: path };
    const axis = { font, stroke: ink("faint"), ticks: { show: false }, grid: { show: false } };
    return {
      width,
      height,
      padding: [4, 12, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        points: { show: false },
        drag: { x: true, y: false, setScale: false, dist: 4 },
        bind: { dblclick: () => null },
      },
      scales: {
        x: { time: false, range: () => [this.view.start, this.view.end] },
        y: { range: () => [0, this.top()] },
        share: { range: () => [0, 1] },
      },
      axes: [
        {
          ...axis,
          size: AXIS,
          gap: 5,
          splits: (_u, _i, low, high) => this.xTicks(low, high),
          values: (_u, ticks) => ticks.map((time) => this.xText(time)),
        },
        {
          ...axis,
          size: SIDE,
          gap: 6,
          scale: "y",
          splits: (_u, _i, low, high) => byteTicks(low, high, Math.max(2, height / 50)),
          values: (_u, ticks) => ticks.map((size) => (size === 0 ? "0" : bytes(size))),
        },
      ],
      series: [
        {},
        { ...common, scale: "y", stroke: ink("heap"), fill: ink("heap-fill"), width: 1.25 },
        { ...common, scale: "y", stroke: ink("stack"), fill: ink("stack"), width: 1 },
        {
          ...common,
          spanGaps: true,
          scale: "share",
          stroke: ink("fragmentation"),
          width: 1,
          dash: [4, 3],
        },
      ],
      hooks: {
        drawAxes: [(u) => this.ground(u)],
        draw: [(u) => this.overlay(u)],
        setCursor: [(u) => this.hooks.onCursor(this.cursorTime(u))],
        setSelect: [(u) => this.dragged(u)],
        ready: [(u) => this.listenForClicks(u)],
      },
    };
  }

  private cursorTime(u: uPlot): number | null {
    const { left } = u.cursor;
    return left === undefined || left < 0 ? null : u.posToVal(left, "x");
  }

  private dragged(u: uPlot): void {
    const { left, width } = u.select;
    if (width < 4) return;
    const range = { start: u.posToVal(left, "x"), end: u.posToVal(left + width, "x") };
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.hooks.onDrag(range, this.shift);
  }

  private listenForClicks(u: uPlot): void {
    let down = 0;
    u.over.addEventListener("pointerdown", (event) => {
      down = event.clientX;
    });
    u.over.addEventListener("click", (event) => {
      if (Math.abs(event.clientX - down) < 4) this.hooks.onClick(this.timeAt(event.clientX));
    });
  }

  private xTicks(low: number, high: number): number[] {
    const room = Math.max(2, this.plot.over.clientWidth / 110);
    const marked = stepTicks(this.payload.steps, { start: low, end: high }, room);
    return marked.length >= 2 ? marked.map((tick) => tick.time) : decimalTicks(low, high, room);
  }

  private xText(time: number): string {
    const { steps } = this.payload;
    const index = firstStep(steps, time);
    return steps.start_ns[index] === time ? `step ${steps.number[index]}` : duration(time);
  }

  /** Free memory as the ground, its stripes the steps; nothing above the capacity. */
  private ground(u: uPlot): void {
    const { ctx } = u;
    const { left, top, width, height } = u.bbox;
    const { steps } = this.payload;
    const colours = palette.value;
    const limit = this.marks.capacity ?? Number.POSITIVE_INFINITY;
    const ceiling = limit >= (u.scales.y?.max ?? 0) ? top : u.valToPos(limit, "y", true);
    ctx.save();
    ctx.fillStyle = colours["free-alt"];
    ctx.fillRect(left, ceiling, width, top + height - ceiling);
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    ctx.fillStyle = colours.free;
    const inSight = firstStep(steps, this.view.end) - firstStep(steps, this.view.start);
    if (width < inSight * FINEST_STRIPE_PX) {
      ctx.fillRect(left, ceiling, width, height);
      ctx.restore();
      return;
    }
    for (let i = firstStep(steps, this.view.start); i < steps.start_ns.length; i += 1) {
      const start = steps.start_ns[i] ?? 0;
      if (start > this.view.end) break;
      if ((steps.number[i] ?? i) % 2 !== 0) continue;
      const from = u.valToPos(start, "x", true);
      ctx.fillRect(from, ceiling, u.valToPos(steps.end_ns[i] ?? start, "x", true) - from, height);
    }
    ctx.restore();
  }

  /** Growth on the troughs, the chosen moment, the picked stretch. */
  private overlay(u: uPlot): void {
    const { ctx } = u;
    const { left, top, width, height } = u.bbox;
    const ratio = window.devicePixelRatio || 1;
    const colours = palette.value;
    const x = (time: number) => u.valToPos(time, "x", true);
    const y = (size: number) => u.valToPos(size, "y", true);
    ctx.save();
    ctx.setLineDash([]); // uPlot leaves the dash of its last series
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    const { growth } = this.payload;
    if (growth) {
      ctx.strokeStyle = colours.alarm;
      ctx.lineWidth = 1.75 * ratio;
      ctx.beginPath();
      const { time_ns, bytes } = growth.columns;
      time_ns.forEach((time, index) => {
        ctx.lineTo(x(time), y(bytes[index] ?? 0));
      });
      ctx.stroke();
    }
    ctx.strokeStyle = colours.accent;
    ctx.fillStyle = colours.accent;
    ctx.lineWidth = ratio;
    if (this.marks.site) {
      const { times, sizes } = this.marks.site;
      ctx.lineWidth = 1.5 * ratio;
      ctx.beginPath();
      for (const [i, time] of times.entries()) {
        if (i > 0) ctx.lineTo(x(time), y(sizes[i - 1] ?? 0));
        ctx.lineTo(x(time), y(sizes[i] ?? 0));
      }
      ctx.lineTo(x(this.view.end), y(sizes.at(-1) ?? 0));
      ctx.stroke();
      ctx.lineWidth = ratio;
    }
    if (this.marks.range) {
      const from = x(this.marks.range.start);
      const to = x(this.marks.range.end);
      ctx.globalAlpha = 0.14;
      ctx.fillRect(from, top, to - from, height);
      ctx.globalAlpha = 1;
      ctx.strokeRect(from, top, to - from, height);
    }
    if (this.marks.at !== null) ctx.fillRect(x(this.marks.at) - ratio, top, 2 * ratio, height);
    ctx.restore();
  }
}
