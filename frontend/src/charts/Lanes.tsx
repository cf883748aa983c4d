/** What ran meanwhile: steps, compiled programs and annotations as lanes under the timeline. */
import { useState } from "preact/hooks";
import type { Lane } from "../api/frames.ts";
import { duration, grouped } from "../lib/numbers.ts";
import type { Range } from "../lib/range.ts";
import { lastAt } from "../lib/search.ts";
import { fitText, TINT } from "./paint.ts";
import { type Pen, type Point, Surface } from "./Surface.tsx";

interface Props {
  lanes: readonly Lane[];
  view: Range;
  onRead: (text: string) => void;
  onPick: (range: Range) => void;
}

export const ROW = 18;

/** What a lane shows, in words. */
export function laneText({ kind, level, thread }: Lane): string {
  return `${kind === "events" && level > 0 ? "events inside" : kind} on ${thread}`;
}

/** One colour a kind: a row says by its place and its words which thread it is. */
const INKS = { modules: 1, events: 0 } as const;

export interface Span {
  readonly lane: number;
  readonly index: number;
}

/** What a span is called: its name, its number, and how many are merged in it. */
export function spanText({ columns }: Lane, index: number): string {
  const count = columns.count[index] ?? 1;
  const number = columns.number[index];
  const name = `${columns.name[index] ?? ""}${number ? ` ${number}` : ""}`;
  const length = (columns.end_ns[index] ?? 0) - (columns.start_ns[index] ?? 0);
  return `${name}${count > 1 ? ` and ${grouped(count - 1)} more` : ""}, ${duration(length)}`;
}

export function Lanes({ lanes, view, onRead, onPick }: Props) {
  const [active, setActive] = useState<Span | null>(null);
  const length = view.end - view.start || 1;
  const read = (span: Span | null) => {
    setActive(span);
    const lane = span ? lanes[span.lane] : undefined;
    onRead(span && lane ? `${laneText(lane)}: ${spanText(lane, span.index)}` : "");
  };
  const draw = ({ ctx, width, palette }: Pen) => {
    const x = (time: number) => ((time - view.start) / length) * width;
    ctx.textBaseline = "middle";
    for (const [row, { columns, kind, level }] of lanes.entries()) {
      const top = row * ROW;
      const ink = kind === "steps" ? palette.quiet : (palette.series[INKS[kind]] ?? palette.quiet);
      for (const [i, start] of columns.start_ns.entries()) {
        const left = Math.max(0, x(start));
        const right = Math.min(width, x(columns.end_ns[i] ?? start));
        if (right < 0 || left > width) continue;
        const wide = Math.max(1, right - left - 1);
        const chosen = active?.lane === row && active.index === i;
        ctx.fillStyle = ink;
        ctx.globalAlpha = chosen ? 0.8 : level > 0 ? TINT / 2 : TINT;
        ctx.fillRect(left, top, wide, ROW - 2);
        ctx.globalAlpha = 1;
        ctx.fillStyle = palette.text;
        fitText(
          ctx,
          `${columns.name[i] ?? ""} ${columns.number[i] ?? ""}`.trim(),
          left + 4,
          top + ROW / 2 - 1,
          wide - 6,
        );
      }
    }
  };
  const under = (spot: Point): Span | null => {
    const row = Math.floor(spot.y / ROW);
    const columns = lanes[row]?.columns;
    if (!columns) return null;
    const time = view.start + (spot.x / spot.width) * length;
    const index = lastAt(columns.start_ns, time);
    return index >= 0 && time <= (columns.end_ns[index] ?? 0) ? { lane: row, index } : null;
  };
  const pick = (span: Span | null) => {
    const columns = span && lanes[span.lane]?.columns;
    if (columns)
      onPick({ start: columns.start_ns[span.index] ?? 0, end: columns.end_ns[span.index] ?? 1 });
  };
  const key = (event: KeyboardEvent) => {
    const [along, down] = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    }[event.key] ?? [0, 0];
    if (event.key === "Escape") read(null);
    else if (event.key === "Enter") pick(active);
    else if (along || down) {
      const row = Math.min(Math.max((active?.lane ?? 0) + (down ?? 0), 0), lanes.length - 1);
      const last = (lanes[row]?.columns.name.length ?? 1) - 1;
      const index = down
        ? Math.min(active?.index ?? 0, last)
        : (active?.index ?? -1) + (along ?? 0);
      read({ lane: row, index: Math.min(Math.max(index, 0), last) });
    } else return;
    event.preventDefault();
  };
  return (
    <Surface
      label={`${lanes.length} lanes of what ran meanwhile. Arrow keys go from span to span, Enter zooms to one.`}
      height={lanes.length * ROW}
      draw={draw}
      onHover={(spot) => read(spot && under(spot))}
      onPick={(spot) => pick(under(spot))}
      onKey={key}
    />
  );
}
