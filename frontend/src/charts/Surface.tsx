/**
 * A canvas that fits its place: sharp at any pixel ratio, redrawn once a frame when its size, the
 * theme or what it draws changes, and left alone while the tab is hidden.
 */
import { useSignalEffect } from "@preact/signals";
import { useContext, useEffect, useRef } from "preact/hooks";
import { type Brush, SvgBrush } from "./brush.ts";
import { type Palette, palette } from "./palette.ts";
import { ChartSlot } from "./slot.ts";

export interface Pen {
  readonly ctx: Brush;
  readonly width: number;
  readonly height: number;
  readonly palette: Palette;
}

export interface Point {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Shift was held. */
  readonly shift: boolean;
}

interface Props {
  /** What a person who does not see the picture should know of it. */
  label: string;
  height: number;
  /** `again` draws once more, for a picture that was made in haste. */
  draw: (pen: Pen, again: () => void) => void;
  onHover?: (point: Point | null) => void;
  onPick?: (point: Point) => void;
  /** While the pointer is dragged, and once more (`done`) when it is let go. */
  onDrag?: (from: Point, to: Point, done: boolean) => void;
  onWheel?: (point: Point, event: WheelEvent) => void;
  onKey?: (event: KeyboardEvent) => void;
  /** How wide it has become, in CSS pixels. */
  onWidth?: (width: number) => void;
}

const CLICK_PX = 4;

/** Size the bitmap to the element and draw; nothing while the element has no size. */
function paint(canvas: HTMLCanvasElement, draw: (pen: Pen) => void): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const ctx = canvas.getContext("2d");
  if (width === 0 || height === 0 || !ctx) return;
  const ratio = window.devicePixelRatio || 1;
  const [wide, tall] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== tall) {
    canvas.width = wide;
    canvas.height = tall;
  }
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, width, height);
  ctx.font = `11px ${getComputedStyle(canvas).fontFamily}`;
  draw({ ctx, width, height, palette: palette.peek() });
}

/** Draw once more, as SVG. */
function asSvg(canvas: HTMLCanvasElement | null, draw: (pen: Pen) => void): string {
  const measure = document.createElement("canvas").getContext("2d");
  if (!canvas || !measure) return "";
  const { clientWidth: width, clientHeight: height } = canvas;
  const brush = new SvgBrush(measure);
  brush.font = `11px ${getComputedStyle(canvas).fontFamily}`;
  draw({ ctx: brush, width, height, palette: palette.peek() });
  return brush.document(width, height, palette.peek().ground);
}

function pointOf(event: MouseEvent): Point {
  const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
  const { left, top, width, height } = box;
  const shift = event.shiftKey;
  return { x: event.clientX - left, y: event.clientY - top, width, height, shift };
}

interface Numbered {
  onHover: (index: number | null) => void;
  onPick: (index: number) => void;
}

/** Pointing at numbered things: `under` says which one lies at a place, -1 where none does. */
export function overNumbered(under: (spot: Point) => number, { onHover, onPick }: Numbered) {
  return {
    onHover: (spot: Point | null) => {
      const index = spot ? under(spot) : -1;
      onHover(index >= 0 ? index : null);
    },
    onPick: (spot: Point) => {
      const index = under(spot);
      if (index >= 0) onPick(index);
    },
  };
}

export function Surface({ label, height, draw, ...on }: Props) {
  const ref = useRef<HTMLCanvasElement>(null);
  const latest = useRef(draw);
  const frame = useRef(0);
  const down = useRef<Point | null>(null);
  latest.current = draw;
  const widened = useRef(on.onWidth);
  widened.current = on.onWidth;
  const schedule = () => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      if (ref.current) paint(ref.current, (pen) => latest.current(pen, schedule));
    });
  };
  useEffect(schedule);
  useSignalEffect(() => {
    void palette.value;
    schedule();
  });
  useEffect(() => {
    const canvas = ref.current;
    if (!canvas) return undefined;
    const observer = new ResizeObserver(() => {
      if (canvas.clientWidth > 0) widened.current?.(canvas.clientWidth);
      schedule();
    });
    observer.observe(canvas);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame.current);
    };
  }, []);
  const slot = useContext(ChartSlot);
  if (slot)
    slot.current = {
      canvas: () => ref.current,
      svg: () => asSvg(ref.current, (pen) => latest.current(pen, schedule)),
    };
  const far = (a: Point, b: Point) => Math.abs(a.x - b.x) + Math.abs(a.y - b.y) > CLICK_PX;
  const press = (event: PointerEvent) => {
    down.current = pointOf(event);
    if (on.onDrag) (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const now = pointOf(event);
    if (down.current && on.onDrag && far(down.current, now)) on.onDrag(down.current, now, false);
    else on.onHover?.(now);
  };
  const release = (event: PointerEvent) => {
    const from = down.current;
    const now = pointOf(event);
    down.current = null;
    if (!from) return;
    if (far(from, now)) on.onDrag?.(from, now, true);
    else on.onPick?.(now);
  };
  return (
    <canvas
      ref={ref}
      class="surface"
      style={{ height: `${height}px` }}
      role="img"
      aria-label={label}
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={release}
      onPointerLeave={() => on.onHover?.(null)}
      {...(on.onWheel
        ? { onWheel: (event: WheelEvent) => on.onWheel?.(pointOf(event), event) }
        : {})}
      {...(on.onKey ? { tabIndex: 0, onKeyDown: on.onKey } : {})}
    />
  );
}
