/**
 * A canvas that fits its place: sharp at any pixel ratio, redrawn once a frame when its size, the
 * theme or what it draws changes, and left alone while the tab is hidden.
 */
import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type Palette, palette } from "./palette.ts";

export interface Pen {
  readonly ctx: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  readonly palette: Palette;
}

export interface Point {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Props {
  /** What a person who does not see the picture should know of it. */
  label: string;
  height: number;
  draw: (pen: Pen) => void;
  onHover?: (point: Point | null) => void;
  onPick?: (point: Point) => void;
  onKey?: (event: KeyboardEvent) => void;
}

/** Size the bitmap to the element and draw; nothing while the element has no size. */
function paint(canvas: HTMLCanvasElement, draw: (pen: Pen) => void): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const ctx = canvas.getContext("2d");
  if (width === 0 || height === 0 || !ctx) return;
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.font = `11px ${getComputedStyle(canvas).fontFamily}`;
  draw({ ctx, width, height, palette: palette.peek() });
}

export function Surface({ label, height, draw, onHover, onPick, onKey }: Props) {
  const ref = useRef<HTMLCanvasElement>(null);
  const latest = useRef(draw);
  const frame = useRef(0);
  latest.current = draw;
  const schedule = () => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      if (ref.current) paint(ref.current, latest.current);
    });
  };
  useEffect(schedule);
  useSignalEffect(() => {
    void palette.value;
    schedule();
  });
  useEffect(() => {
    if (!ref.current) return undefined;
    const observer = new ResizeObserver(schedule);
    observer.observe(ref.current);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame.current);
    };
  }, []);
  const pointOf = (event: PointerEvent): Point => {
    const box = (event.currentTarget as HTMLCanvasElement).getBoundingClientRect();
    const { left, top, width, height: tall } = box;
    return { x: event.clientX - left, y: event.clientY - top, width, height: tall };
  };
  return (
    <canvas
      ref={ref}
      class="surface"
      style={{ height: `${height}px` }}
      role="img"
      aria-label={label}
      {...(onKey ? { tabIndex: 0, onKeyDown: onKey } : {})}
      {...(onHover
        ? {
            onPointerMove: (e: PointerEvent) => onHover(pointOf(e)),
            onPointerLeave: () => onHover(null),
          }
        : {})}
      {...(onPick ? { onPointerUp: (e: PointerEvent) => onPick(pointOf(e)) } : {})}
    />
  );
}
