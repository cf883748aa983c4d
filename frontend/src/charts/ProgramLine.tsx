/** Memory against program order: padded and unpadded, the peak, a chosen point, one buffer's life. */
import { useState } from "preact/hooks";
import { bytes, grouped } from "../lib/numbers.ts";
import type { Range } from "../lib/range.ts";
import { lastAt } from "../lib/search.ts";
import { type Pen, type Point, Surface } from "./Surface.tsx";

interface Props {
  points: readonly number[];
  heap: readonly number[];
  unpadded: readonly number[];
  names: readonly string[];
  total: number;
  peak: number | null;
  chosen: number | null;
  life: Range | null;
  label: string;
  height: number;
  onRead: (text: string) => void;
  onPick: (point: number) => void;
}

export function ProgramLine(props: Props) {
  const { points, heap, unpadded, names, total } = props;
  const [active, setActive] = useState<number | null>(null);
  const most = heap.reduce((high, size) => Math.max(high, size), 1);
  const read = (index: number | null) => {
    if (index === active) return;
    setActive(index);
    const name = index === null ? "" : (names[index] ?? "");
    props.onRead(
      index === null
        ? ""
        : `point ${grouped(points[index])}${name && ` at ${name}`}: ${bytes(heap[index])}, unpadded ${bytes(unpadded[index])}`,
    );
  };
  const draw = ({ ctx, width, height, palette }: Pen) => {
    const floor = height - 18;
    const x = (point: number) => (point / Math.max(1, total)) * width;
    const y = (size: number) => floor - (size / most) * (floor - 20);
    const trace = (sizes: readonly number[]) => {
      ctx.beginPath();
      ctx.moveTo(0, y(sizes[0] ?? 0));
      for (const [i, point] of points.entries()) {
        ctx.lineTo(x(point), y(sizes[i - 1] ?? sizes[0] ?? 0));
        ctx.lineTo(x(point), y(sizes[i] ?? 0));
      }
      ctx.lineTo(width, y(sizes.at(-1) ?? 0));
    };
    trace(heap);
    ctx.lineTo(width, floor);
    ctx.lineTo(0, floor);
    ctx.fillStyle = palette["heap-fill"];
    ctx.fill();
    if (props.life) {
      ctx.fillStyle = palette.accent;
      ctx.globalAlpha = 0.14;
      const left = x(props.life.start);
      ctx.fillRect(left, 0, Math.max(1, x(props.life.end) - left), floor);
      ctx.globalAlpha = 1;
    }
    trace(heap);
    ctx.strokeStyle = palette.heap;
    ctx.lineWidth = 1.5;
    ctx.stroke();
    trace(unpadded);
    ctx.strokeStyle = palette.muted;
    ctx.lineWidth = 1;
    ctx.setLineDash([3, 3]);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.fillStyle = palette.line;
    ctx.fillRect(0, floor, width, 1);
    ctx.textBaseline = "bottom";
    if (props.peak !== null) {
      const at = x(props.peak);
      ctx.fillStyle = palette.text;
      ctx.fillRect(Math.round(at), 4, 1, floor - 4);
      ctx.textAlign = at > width - 60 ? "right" : "left";
      ctx.fillText("peak", at + (at > width - 60 ? -4 : 4), 15);
    }
    for (const [mark, ink] of [
      [props.chosen, palette.accent],
      [active === null ? null : (points[active] ?? null), palette.faint],
    ] as const) {
      if (mark === null) continue;
      ctx.fillStyle = ink;
      ctx.fillRect(Math.round(x(mark)), 0, 1, floor);
    }
    ctx.fillStyle = palette.faint;
    ctx.textAlign = "left";
    ctx.fillText("0", 0, height);
    ctx.textAlign = "right";
    ctx.fillText(`${grouped(total)} points`, width, height);
  };
  const under = (spot: Point) =>
    Math.max(0, lastAt(points, (spot.x / spot.width) * Math.max(1, total)));
  const key = (event: KeyboardEvent) => {
    const move = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20 }[event.key];
    const here = active ?? (props.peak === null ? 0 : Math.max(0, lastAt(points, props.peak)));
    if (event.key === "Escape") read(null);
    else if (event.key === "Enter") props.onPick(points[here] ?? 0);
    else if (move !== undefined && points.length > 0) {
      read(Math.min(Math.max(here + move, 0), points.length - 1));
    } else return;
    event.preventDefault();
  };
  return (
    <Surface
      label={`${props.label} Arrow keys read the points, Enter lists what is live at one.`}
      height={props.height}
      draw={draw}
      onHover={(spot) => read(spot && points.length > 0 ? under(spot) : null)}
      onPick={(spot) => props.onPick(points[under(spot)] ?? 0)}
      onKey={key}
    />
  );
}
