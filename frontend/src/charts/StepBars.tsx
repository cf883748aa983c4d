/** A bar a step: survivors by the step that made them, or what each step hands to the next. */
import { useState } from "preact/hooks";
import { type Bin, binned } from "../lib/bins.ts";
import type { Tone } from "../lib/words.ts";
import { type Pen, type Point, Surface } from "./Surface.tsx";

interface Props {
  numbers: readonly number[];
  heights: readonly number[];
  /** What a bar says when pointed at. */
  read: (bin: Bin) => string;
  tone: Tone;
  label: string;
  onRead: (text: string) => void;
}

const AXIS = 18;
const GAP = 3;

export function StepBars({ numbers, heights, read, tone, label, onRead }: Props) {
  const [active, setActive] = useState<number | null>(null);
  const bins = binned(heights, 160);
  const most = Math.max(1, ...bins.map((bin) => bin.height));
  const point = (index: number | null) => {
    if (index === active) return;
    setActive(index);
    const bin = index === null ? undefined : bins[index];
    onRead(bin ? read(bin) : "");
  };
  const draw = (pen: Pen) => {
    const { ctx, width, height, palette } = pen;
    const floor = height - AXIS;
    const pitch = Math.min(width / Math.max(1, bins.length), 48);
    bins.forEach((bin, index) => {
      const tall = bin.height === 0 ? 0 : Math.max(2, (bin.height / most) * (floor - 4));
      ctx.fillStyle = palette[tone === "quiet" ? "muted" : tone];
      ctx.globalAlpha = active === null || active === index ? 1 : 0.45;
      const gap = pitch > 3 * GAP ? GAP : pitch > 4 ? 1 : 0;
      ctx.fillRect(index * pitch, floor - tall, Math.max(1, pitch - gap), tall);
    });
    ctx.globalAlpha = 1;
    ctx.fillStyle = palette.line;
    ctx.fillRect(0, floor, width, 1);
    labelEnds(pen, numbers, Math.min(width, pitch * bins.length));
  };
  const hover = (spot: Point | null) => {
    const pitch = spot ? Math.min(spot.width / Math.max(1, bins.length), 48) : 1;
    const index = spot ? Math.floor(spot.x / pitch) : -1;
    point(index >= 0 && index < bins.length ? index : null);
  };
  const key = (event: KeyboardEvent) => {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "Escape") point(null);
    if (move === undefined) return;
    event.preventDefault();
    point(Math.min(Math.max((active ?? (move > 0 ? -1 : bins.length)) + move, 0), bins.length - 1));
  };
  return <Surface label={label} height={92} draw={draw} onHover={hover} onKey={key} />;
}

function labelEnds({ ctx, height, palette }: Pen, numbers: readonly number[], end: number): void {
  ctx.fillStyle = palette.faint;
  ctx.textBaseline = "bottom";
  ctx.textAlign = "left";
  ctx.fillText(`step ${numbers[0] ?? ""}`, 0, height);
  if (numbers.length < 2) return;
  ctx.textAlign = "right";
  ctx.fillText(`${numbers[numbers.length - 1]}`, Math.max(end, 64), height);
}
