/** The whole window, small: where the stretch in sight lies in it. Drag it along, or drag a new one. */
import { useRef } from "preact/hooks";
import type { TimelinePayload } from "../api/wire.ts";
import type { Range } from "../lib/range.ts";
import { panRange } from "../lib/range.ts";
import { type Pen, type Point, Surface } from "./Surface.tsx";
import { ChartSlot } from "./slot.ts";

interface Props {
  payload: TimelinePayload;
  view: Range;
  onView: (view: Range, done: boolean) => void;
}

export function Strip({ payload, view, onView }: Props) {
  const grabbed = useRef<Range | null>(null);
  const all = { start: payload.start_ns, end: payload.end_ns };
  const span = all.end - all.start || 1;
  const time = (point: Point, x: number) => all.start + (x / point.width) * span;
  const draw = ({ ctx, width, height, palette }: Pen) => {
    const { time_ns: times, heap_bytes: heap, stack_bytes: stack } = payload.columns;
    const most = heap.reduce<number>((high, size) => Math.max(high, size ?? 0), 1);
    const x = (at: number) => ((at - all.start) / span) * width;
    ctx.fillStyle = palette["free-alt"];
    ctx.fillRect(0, 0, width, height);
    ctx.fillStyle = palette["heap-fill"];
    ctx.beginPath();
    ctx.moveTo(0, height);
    times.forEach((at, i) => {
      ctx.lineTo(x(at), height - (((heap[i] ?? 0) + (stack[i] ?? 0)) / most) * (height - 3));
    });
    ctx.lineTo(x(times[times.length - 1] ?? 0), height);
    ctx.fill();
    const [from, to] = [x(view.start), Math.max(x(view.end), x(view.start) + 2)];
    ctx.fillStyle = palette.ground;
    ctx.globalAlpha = 0.55;
    ctx.fillRect(0, 0, from, height);
    ctx.fillRect(to, 0, width - to, height);
    ctx.globalAlpha = 1;
    ctx.strokeStyle = palette.accent;
    ctx.strokeRect(from + 0.5, 0.5, Math.max(1, to - from - 1), height - 1);
  };
  const drag = (from: Point, to: Point, done: boolean) => {
    const start = time(from, from.x);
    if (!grabbed.current) {
      const inside = start >= view.start && start <= view.end && view.end - view.start < span;
      grabbed.current = inside ? view : { start, end: start };
    }
    const held = grabbed.current;
    const now = Math.min(Math.max(time(to, to.x), all.start), all.end);
    if (done) grabbed.current = null;
    if (held.end > held.start) onView(panRange(held, now - start, all), done);
    else if (now !== start)
      onView({ start: Math.min(start, now), end: Math.max(start, now) }, done);
  };
  return (
    <ChartSlot.Provider value={null}>
      <div class="strip">
        <Surface
          label="The whole window; the stretch in sight is framed. The chart above takes the keyboard."
          height={28}
          draw={draw}
          onDrag={drag}
        />
      </div>
    </ChartSlot.Provider>
  );
}
