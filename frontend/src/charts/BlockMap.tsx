/**
 * Address by time, one rectangle a block. Survivors stand out in full colour; what was freed is
 * pale. Drag pans, the wheel zooms time (with shift addresses), a click chooses a block.
 */
import { useMemo, useRef } from "preact/hooks";
import type { BlockMapPayload } from "../api/wire.ts";
import { panRange, zoomRange } from "../lib/range.ts";
import type { Palette } from "./palette.ts";
import { hit, LEAST_PX, projection, type Window } from "./rects.ts";
import { type Pen, type Point, Surface } from "./Surface.tsx";

export interface Look {
  /** The fill of rectangle `i`. */
  readonly colour: (palette: Palette, i: number) => string;
  /** What changes when colours do: the drawing order is kept while it stays the same. */
  readonly key: string;
}

interface Props {
  payload: BlockMapPayload;
  view: Window;
  bounds: Window;
  look: Look;
  /** Rectangles of this site are outlined. */
  site: number | null;
  active: number | null;
  moment: number | null;
  label: string;
  height: number;
  onView: (view: Window, done: boolean) => void;
  onHover: (index: number | null) => void;
  onPick: (index: number) => void;
}

const SLACK_PX = 3;
const FREED_ALPHA = 0.3;

/** Rectangles ordered so that few colour changes are needed, freed ones first: survivors lie on top. */
function drawingOrder(payload: BlockMapPayload, colours: readonly string[]): Uint32Array {
  const { end } = payload.columns;
  const stays = (i: number) => (end[i] === "survived" ? 1 : 0);
  return Uint32Array.from(end.keys()).sort(
    (a, b) =>
      stays(a) - stays(b) ||
      ((colours[a] ?? "") < (colours[b] ?? "") ? -1 : colours[a] === colours[b] ? 0 : 1),
  );
}

function useOrder(payload: BlockMapPayload, look: Look) {
  const kept = useRef<{
    key: string;
    payload: BlockMapPayload;
    colours: string[];
    order: Uint32Array;
  } | null>(null);
  return (palette: Palette) => {
    const key = `${look.key} ${palette.ground}`;
    if (kept.current?.key !== key || kept.current.payload !== payload) {
      const colours = payload.columns.end.map((_, i) => look.colour(palette, i));
      kept.current = { key, payload, colours, order: drawingOrder(payload, colours) };
    }
    return kept.current;
  };
}

export function BlockMap(props: Props) {
  const { payload, view, bounds, active } = props;
  const { columns } = payload;
  const orderFor = useOrder(payload, props.look);
  const grabbed = useRef<Window | null>(null);

  const draw = ({ ctx, width, height, palette }: Pen) => {
    const { colours, order } = orderFor(palette);
    const { x, y } = projection(view, { width, height });
    const { start_ns, end_ns, offset, size_bytes, end, site } = columns;
    ctx.fillStyle = palette["free-alt"];
    ctx.fillRect(0, 0, width, height);
    let last = "";
    let alpha = -1;
    for (const i of order) {
      const left = x(start_ns[i] ?? 0);
      const right = x(end_ns[i] ?? 0);
      if (right < 0 || left > width) continue;
      const top = y((offset[i] ?? 0) + (size_bytes[i] ?? 0));
      const bottom = y(offset[i] ?? 0);
      if (bottom < 0 || top > height) continue;
      const chosen = props.site !== null && site[i] === props.site;
      const strength =
        end[i] === "survived" || chosen ? (props.site === null || chosen ? 0.9 : 0.4) : FREED_ALPHA;
      if (strength !== alpha) {
        alpha = strength;
        ctx.globalAlpha = strength;
      }
      const colour = colours[i] ?? "";
      if (colour !== last) {
        last = colour;
        ctx.fillStyle = colour;
      }
      const [wide, tall] = [right - left, bottom - top];
      // a hairline of ground between blocks, as long as there is room for it
      ctx.fillRect(
        left,
        top,
        Math.max(LEAST_PX, wide > 4 ? wide - 0.5 : wide),
        Math.max(LEAST_PX, tall > 4 ? tall - 0.5 : tall),
      );
    }
    ctx.globalAlpha = 1;
    if (props.moment !== null) {
      ctx.fillStyle = palette.accent;
      ctx.fillRect(Math.round(x(props.moment)), 0, 1, height);
    }
    if (active !== null) {
      ctx.strokeStyle = palette.text;
      ctx.lineWidth = 1.5;
      const left = x(start_ns[active] ?? 0);
      const top = y((offset[active] ?? 0) + (size_bytes[active] ?? 0));
      const wide = Math.max(3, x(end_ns[active] ?? 0) - left);
      ctx.strokeRect(left, top, wide, Math.max(3, y(offset[active] ?? 0) - top));
    }
  };

  const under = (spot: Point): number => {
    const { time, offset } = projection(view, spot);
    const slack = {
      time: ((view.end - view.start) / spot.width) * SLACK_PX,
      offset: ((view.high - view.low) / spot.height) * SLACK_PX,
    };
    return hit(columns, time(spot.x), offset(spot.y), slack);
  };
  const times = { start: bounds.start, end: bounds.end };
  const offsets = { start: bounds.low, end: bounds.high };
  const panned = (from: Window, across: number, up: number): Window => {
    const time = panRange(from, across * (from.end - from.start), times);
    const place = panRange(
      { start: from.low, end: from.high },
      up * (from.high - from.low),
      offsets,
    );
    return { ...time, low: place.start, high: place.end };
  };
  const zoomed = (
    factor: number,
    spot: { time: number; offset: number },
    both: boolean,
    tall: boolean,
  ): Window => {
    const time = tall ? view : zoomRange(view, factor, spot.time, times, 1000);
    const place =
      both || tall
        ? zoomRange({ start: view.low, end: view.high }, factor, spot.offset, offsets, 256)
        : { start: view.low, end: view.high };
    return { start: time.start, end: time.end, low: place.start, high: place.end };
  };
  const drag = (from: Point, to: Point, done: boolean) => {
    grabbed.current ??= view;
    const held = grabbed.current;
    if (done) grabbed.current = null;
    props.onView(panned(held, (from.x - to.x) / from.width, (to.y - from.y) / from.height), done);
  };
  const wheel = (spot: Point, event: WheelEvent) => {
    event.preventDefault();
    const { time, offset } = projection(view, spot);
    const factor = Math.exp((event.deltaY || event.deltaX) / 300);
    const place = { time: time(spot.x), offset: offset(spot.y) };
    props.onView(zoomed(factor, place, event.ctrlKey || event.metaKey, event.shiftKey), true);
  };
  const byStart = useMemo(
    () =>
      Uint32Array.from(columns.start_ns.keys()).sort(
        (a, b) => (columns.start_ns[a] ?? 0) - (columns.start_ns[b] ?? 0),
      ),
    [columns],
  );
  const step = (move: number) => {
    const here = active === null ? -1 : byStart.indexOf(active);
    const wanted = (i: number) => props.site === null || columns.site[i] === props.site;
    for (let n = here + move; n >= 0 && n < byStart.length; n += move) {
      const i = byStart[n] ?? 0;
      if (wanted(i)) return props.onHover(i);
    }
    return undefined;
  };
  const key = (event: KeyboardEvent) => {
    const middle = { time: (view.start + view.end) / 2, offset: (view.low + view.high) / 2 };
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[
      event.key
    ];
    if (arrow && event.shiftKey)
      props.onView(panned(view, (arrow[0] ?? 0) / 4, (arrow[1] ?? 0) / 4), true);
    else if (event.key === "ArrowLeft") step(-1);
    else if (event.key === "ArrowRight") step(1);
    else if (event.key === "+" || event.key === "=")
      props.onView(zoomed(0.5, middle, true, false), true);
    else if (event.key === "-") props.onView(zoomed(2, middle, true, false), true);
    else if (event.key === "0") props.onView(bounds, true);
    else if (event.key === "Escape") props.onHover(null);
    else if (event.key === "Enter" && active !== null) props.onPick(active);
    else return;
    event.preventDefault();
  };
  return (
    <Surface
      label={`${props.label} Arrow keys go from block to block, with Shift they pan; plus and minus zoom, 0 shows all, Enter chooses.`}
      height={props.height}
      draw={draw}
      onHover={(spot) => {
        const index = spot ? under(spot) : -1;
        props.onHover(index >= 0 ? index : null);
      }}
      onPick={(spot) => {
        const index = under(spot);
        if (index >= 0) props.onPick(index);
      }}
      onDrag={drag}
      onWheel={wheel}
      onKey={key}
    />
  );
}
