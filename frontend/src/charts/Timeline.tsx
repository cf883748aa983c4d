/** The timeline chart: painted on a surface, moved by pointer, wheel and keys. */
import { useMemo, useRef } from "preact/hooks";
import type { TimelinePayload } from "../api/wire.ts";
import { panRange, type Range, zoomRange } from "../lib/range.ts";
import { type Point, Surface } from "./Surface.tsx";
import { timelineLines } from "./timelineLines.ts";
import { paintTimeline, SIDE_PX, type TimelineMarks } from "./timelinePaint.ts";

interface Props {
  payload: TimelinePayload;
  marks: TimelineMarks;
  /** Bytes in use before the first event. */
  baseline: number | null;
  view: Range;
  bounds: Range;
  height: number;
  label: string;
  /** Dragging picks a range instead of zooming. */
  picking: boolean;
  onView: (view: Range | null, replace: boolean) => void;
  onCursor: (time: number | null) => void;
  onMoment: (time: number) => void;
  onRange: (range: Range) => void;
  onColumns: (columns: number) => void;
}

const ZOOM_KEYS: Record<string, number> = { "+": 0.5, "=": 0.5, "-": 2, _: 2 };

export function Timeline(props: Props) {
  const { payload, baseline, view, bounds } = props;
  const lines = useMemo(() => timelineLines(payload, baseline), [payload, baseline]);
  const cursor = useRef<number | null>(null);
  // What follows the pointer lies over the picture, so that moving it paints nothing again.
  const hair = useRef<HTMLDivElement>(null);
  const band = useRef<HTMLDivElement>(null);
  const span = view.end - view.start;
  const widthOf = (point: Point) => point.width - SIDE_PX.left - SIDE_PX.right;
  const timeOf = (point: Point) => {
    const share = (point.x - SIDE_PX.left) / (widthOf(point) || 1);
    return view.start + Math.min(Math.max(share, 0), 1) * span;
  };
  const cover = (cloth: HTMLDivElement | null, range: Range | null) => {
    if (!cloth) return;
    cloth.hidden = range === null;
    const share = (time: number) => `${((time - view.start) / (span || 1)) * 100}%`;
    if (range) cloth.style.left = share(range.start);
    if (range && range.end > range.start)
      cloth.style.width = share(view.start + range.end - range.start);
  };
  const pointAt = (time: number | null) => {
    cursor.current = time;
    cover(hair.current, time === null ? null : { start: time, end: time });
    props.onCursor(time);
  };
  const drag = (from: Point, to: Point, done: boolean) => {
    const ends = [timeOf(from), timeOf(to)];
    const range = { start: Math.min(...ends), end: Math.max(...ends) };
    cover(band.current, done ? null : range);
    if (!done || range.end <= range.start) return;
    if (from.shift || props.picking) props.onRange(range);
    else props.onView(range, false);
  };
  const zoom = (factor: number, centre: number) =>
    props.onView(zoomRange(view, factor, centre, bounds), true);
  const wheel = (point: Point, event: WheelEvent) => {
    const wanted = event.ctrlKey || event.metaKey || document.activeElement === event.currentTarget;
    if (!wanted) return;
    event.preventDefault();
    const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (sideways) props.onView(panRange(view, (event.deltaX / 500) * span, bounds), true);
    else zoom(Math.exp(event.deltaY / 300), timeOf(point));
  };
  const key = (event: KeyboardEvent) => {
    const centre = cursor.current ?? (view.start + view.end) / 2;
    const factor = ZOOM_KEYS[event.key];
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (factor !== undefined) zoom(factor, centre);
    else if (move !== undefined && event.shiftKey) {
      props.onView(panRange(view, (move * span) / 4, bounds), true);
    } else if (move !== undefined) {
      pointAt(Math.min(Math.max(centre + (move * span) / 100, view.start), view.end));
    } else if (event.key === "Enter") props.onMoment(centre);
    else if (event.key === "0" || event.key === "Escape") props.onView(null, false);
    else return;
    event.preventDefault();
  };
  return (
    <div class="timeline">
      <Surface
        label={`${props.label} Arrow keys move the cursor, plus and minus zoom, Enter points at a moment, 0 shows all.`}
        height={props.height}
        draw={(pen) => paintTimeline(pen, { payload, lines, marks: props.marks, view })}
        onHover={(point) => pointAt(point && timeOf(point))}
        onPick={(point) => props.onMoment(timeOf(point))}
        onDrag={drag}
        onWheel={wheel}
        onKey={key}
        onWidth={(width) =>
          props.onColumns((width - SIDE_PX.left - SIDE_PX.right) * (window.devicePixelRatio || 1))
        }
      />
      <div class="timeline-cover">
        <div class="hair" ref={hair} hidden />
        <div class="band" ref={band} hidden />
      </div>
    </div>
  );
}
