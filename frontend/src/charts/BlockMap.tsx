/**
 * Lives as rectangles: time or program order across, addresses upwards, one rectangle a life. Drag
 * pans, the wheel zooms time (with Shift addresses, with Ctrl both), a click chooses.
 */
import { useMemo, useRef } from "preact/hooks";
import { panRange, zoomRange } from "../lib/range.ts";
import { Plane } from "./Plane.ts";
import { shrunk } from "./paint.ts";
import type { Palette } from "./palette.ts";
import { hit, type Layer, layersOf, projection, type Rects, type Window } from "./rects.ts";
import { overNumbered, type Pen, type Point, Surface } from "./Surface.tsx";

export interface Look {
  readonly colour: (palette: Palette, i: number) => string;
  /** How strongly rectangle `i` is filled, 0 to 1. */
  readonly strength: (i: number) => number;
  /** Changes when colours or strengths do. */
  readonly key: string;
}

interface Props {
  rects: Rects;
  view: Window;
  bounds: Window;
  look: Look;
  active: number | null;
  /** A line at this time. */
  moment: number | null;
  /** Arrow keys visit these alone. */
  visits: (i: number) => boolean;
  label: string;
  height: number;
  onView: (view: Window, done: boolean) => void;
  onHover: (index: number | null) => void;
  onPick: (index: number) => void;
}

const SLACK_PX = 3;
const SHORTEST_NS = 10;
const LOWEST_BYTES = 256;

/** Layers, kept while the rectangles, their look and the theme stay. */
function useLayers(rects: Rects, look: Look) {
  const kept = useRef<{ key: string; rects: Rects; layers: Layer[] } | null>(null);
  return (palette: Palette): Layer[] => {
    const key = `${look.key} ${palette.ground}`;
    if (kept.current?.key !== key || kept.current.rects !== rects) {
      const colour = (i: number) => look.colour(palette, i);
      kept.current = { key, rects, layers: layersOf(rects.start_ns.length, colour, look.strength) };
    }
    return kept.current.layers;
  };
}

function fillLayer(pen: Pen, layer: Layer, rects: Rects, view: Window): void {
  const { ctx, width, height } = pen;
  const { x, y } = projection(view, pen);
  const { start_ns, end_ns, offset, size_bytes } = rects;
  ctx.fillStyle = layer.colour;
  ctx.globalAlpha = layer.strength;
  for (const i of layer.members) {
    const left = x(start_ns[i] ?? 0);
    const right = x(end_ns[i] ?? 0);
    if (right < 0 || left > width) continue;
    const bottom = y(offset[i] ?? 0);
    const top = y((offset[i] ?? 0) + (size_bytes[i] ?? 0));
    if (bottom < 0 || top > height) continue;
    ctx.fillRect(left, top, shrunk(right - left), shrunk(bottom - top));
  }
  ctx.globalAlpha = 1;
}

function outline(pen: Pen, rects: Rects, view: Window, i: number): void {
  const { x, y } = projection(view, pen);
  const low = rects.offset[i] ?? 0;
  const left = x(rects.start_ns[i] ?? 0);
  const top = y(low + (rects.size_bytes[i] ?? 0));
  pen.ctx.strokeStyle = pen.palette.text;
  pen.ctx.lineWidth = 1.5;
  const wide = Math.max(3, x(rects.end_ns[i] ?? 0) - left);
  pen.ctx.strokeRect(left, top, wide, Math.max(3, y(low) - top));
}

/** The moves of a window, kept inside its bounds. */
function moves(view: Window, bounds: Window) {
  const times = { start: bounds.start, end: bounds.end };
  const offsets = { start: bounds.low, end: bounds.high };
  const pan = (from: Window, across: number, up: number): Window => {
    const time = panRange(from, across * (from.end - from.start), times);
    const rows = { start: from.low, end: from.high };
    const place = panRange(rows, up * (from.high - from.low), offsets);
    return { ...time, low: place.start, high: place.end };
  };
  const zoom = (factor: number, time: number | null, offset: number | null): Window => {
    const across = time === null ? view : zoomRange(view, factor, time, times, SHORTEST_NS);
    const rows = { start: view.low, end: view.high };
    const up = offset === null ? rows : zoomRange(rows, factor, offset, offsets, LOWEST_BYTES);
    return { start: across.start, end: across.end, low: up.start, high: up.end };
  };
  return { pan, zoom };
}

export function BlockMap(props: Props) {
  const { rects, view, bounds, active } = props;
  const layers = useLayers(rects, props.look);
  const grabbed = useRef<Window | null>(null);
  const { pan, zoom } = moves(view, bounds);

  const plane = useRef<Plane | null>(null);
  const paintPlane = (pen: Pen) => {
    pen.ctx.fillStyle = pen.palette["free-alt"];
    pen.ctx.fillRect(0, 0, pen.width, pen.height);
    for (const layer of layers(pen.palette)) fillLayer(pen, layer, rects, view);
  };
  const draw = (pen: Pen, redraw: () => void) => {
    const { ctx, height, palette } = pen;
    if (ctx instanceof CanvasRenderingContext2D) {
      plane.current ??= new Plane();
      const key = `${props.look.key} ${palette.ground}`;
      plane.current.show(ctx, pen, { key, rects, view }, paintPlane, redraw);
    } else paintPlane(pen);
    if (props.moment !== null) {
      ctx.fillStyle = palette.accent;
      ctx.fillRect(Math.round(projection(view, pen).x(props.moment)), 0, 1, height);
    }
    if (active !== null) outline(pen, rects, view, active);
  };

  const under = (spot: Point): number => {
    const { time, offset } = projection(view, spot);
    const slack = {
      time: ((view.end - view.start) / spot.width) * SLACK_PX,
      offset: ((view.high - view.low) / spot.height) * SLACK_PX,
    };
    return hit(rects, time(spot.x), offset(spot.y), slack);
  };
  const drag = (from: Point, to: Point, done: boolean) => {
    grabbed.current ??= view;
    const held = grabbed.current;
    if (done) grabbed.current = null;
    props.onView(pan(held, (from.x - to.x) / from.width, (to.y - from.y) / from.height), done);
  };
  const wheel = (spot: Point, event: WheelEvent) => {
    event.preventDefault();
    const at = projection(view, spot);
    const factor = Math.exp((event.deltaY || event.deltaX) / 300);
    const both = event.ctrlKey || event.metaKey;
    const time = event.shiftKey && !both ? null : at.time(spot.x);
    props.onView(zoom(factor, time, both || event.shiftKey ? at.offset(spot.y) : null), true);
  };
  const byStart = useMemo(
    () =>
      Uint32Array.from(rects.start_ns.keys()).sort(
        (a, b) => (rects.start_ns[a] ?? 0) - (rects.start_ns[b] ?? 0),
      ),
    [rects],
  );
  const visit = (move: number) => {
    const here = active === null ? -1 : byStart.indexOf(active);
    for (let n = here + move; n >= 0 && n < byStart.length; n += move) {
      const i = byStart[n] ?? 0;
      if (props.visits(i)) return props.onHover(i);
    }
    return undefined;
  };
  const key = (event: KeyboardEvent) => {
    const middle = [(view.start + view.end) / 2, (view.low + view.high) / 2] as const;
    const pans: Record<string, [number, number]> = {
      ArrowLeft: [-0.25, 0],
      ArrowRight: [0.25, 0],
      ArrowUp: [0, 0.25],
      ArrowDown: [0, -0.25],
    };
    const [across, up] = pans[event.key] ?? [0, 0];
    if (event.shiftKey && (across || up)) props.onView(pan(view, across, up), true);
    else if (across) visit(Math.sign(across));
    else if (event.key === "+" || event.key === "=") props.onView(zoom(0.5, ...middle), true);
    else if (event.key === "-") props.onView(zoom(2, ...middle), true);
    else if (event.key === "0") props.onView(bounds, true);
    else if (event.key === "Escape") props.onHover(null);
    else if (event.key === "Enter" && active !== null) props.onPick(active);
    else return;
    event.preventDefault();
  };
  return (
    <Surface
      label={`${props.label} Arrow keys go from one to the next, with Shift they pan; plus and minus zoom, 0 shows all, Enter chooses.`}
      height={props.height}
      draw={draw}
      {...overNumbered(under, props)}
      onDrag={drag}
      onWheel={wheel}
      onKey={key}
    />
  );
}
