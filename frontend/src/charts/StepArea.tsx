/** A quantity that holds its value until the next event: bytes live over time. */
import { useState } from "preact/hooks";
import { bytes, duration } from "../lib/numbers.ts";
import { lastAt } from "../lib/search.ts";
import { type Pen, type Point, Surface } from "./Surface.tsx";

interface Props {
  times: readonly number[];
  sizes: readonly number[];
  label: string;
  onRead: (text: string) => void;
}

const AXIS = 18;

export function StepArea({ times, sizes, label, onRead }: Props) {
  const [active, setActive] = useState<number | null>(null);
  const start = times[0] ?? 0;
  const end = times[times.length - 1] ?? start;
  const most = sizes.reduce((high, size) => Math.max(high, size), 1);
  const point = (index: number | null) => {
    if (index === active) return;
    setActive(index);
    onRead(index === null ? "" : `${duration(times[index])}: ${bytes(sizes[index])}`);
  };
  const draw = ({ ctx, width, height, palette }: Pen) => {
    const floor = height - AXIS;
    const x = (time: number) => ((time - start) / (end - start || 1)) * width;
    const y = (size: number) => floor - (size / most) * (floor - 6);
    const trace = () => {
      ctx.beginPath();
      for (const [index, time] of times.entries()) {
        if (index === 0) ctx.moveTo(x(time), y(sizes[0] ?? 0));
        else {
          ctx.lineTo(x(time), y(sizes[index - 1] ?? 0));
          ctx.lineTo(x(time), y(sizes[index] ?? 0));
        }
      }
    };
    trace();
    ctx.lineTo(x(end), floor);
    ctx.lineTo(0, floor);
    ctx.fillStyle = palette["heap-fill"];
    ctx.fill();
    trace();
    ctx.strokeStyle = palette.heap;
    ctx.lineWidth = 1.5;
    ctx.stroke();
    ctx.fillStyle = palette.line;
    ctx.fillRect(0, floor, width, 1);
    if (active !== null) {
      ctx.fillStyle = palette.text;
      ctx.fillRect(Math.round(x(times[active] ?? 0)), 0, 1, floor);
    }
    ctx.fillStyle = palette.faint;
    ctx.textBaseline = "bottom";
    ctx.textAlign = "left";
    ctx.fillText(duration(start), 0, height);
    ctx.textAlign = "right";
    ctx.fillText(duration(end), width, height);
  };
  const hover = (spot: Point | null) => {
    const time = spot ? start + (spot.x / spot.width) * (end - start) : 0;
    point(spot && times.length > 0 ? Math.max(0, lastAt(times, time)) : null);
  };
  const key = (event: KeyboardEvent) => {
    const move = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20 }[event.key];
    if (event.key === "Escape") point(null);
    if (move === undefined || times.length === 0) return;
    event.preventDefault();
    point(Math.min(Math.max((active ?? 0) + move, 0), times.length - 1));
  };
  return <Surface label={label} height={92} draw={draw} onHover={hover} onKey={key} />;
}
