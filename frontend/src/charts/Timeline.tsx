/** The place of the timeline chart: loads it when first needed, feeds it, and hands on keys and wheel. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { useContext, useEffect, useRef } from "preact/hooks";
import type { TimelinePayload } from "../api/wire.ts";
import { panRange, type Range, zoomRange } from "../lib/range.ts";
import { palette } from "./palette.ts";
import { ChartSlot } from "./slot.ts";
import { TimelineChart, type TimelineMarks } from "./TimelineChart.ts";

interface Props {
  payload: TimelinePayload;
  marks: TimelineMarks;
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
  const place = useRef<HTMLDivElement>(null);
  const chart = useSignal<TimelineChart | null>(null);
  const cursor = useRef<number | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const slot = useContext(ChartSlot);
  if (slot) slot.current = { canvas: () => place.current?.querySelector("canvas") ?? null };

  useEffect(() => {
    const element = place.current;
    let gone = false;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => {
      chart.peek()?.resize(element.clientWidth, latest.current.height);
      if (chart.peek()) latest.current.onColumns(chart.peek()?.columns ?? 0);
    });
    void import("uplot").then(({ default: library }) => {
      if (gone) return;
      const { payload, marks, view, height } = latest.current;
      chart.value = new TimelineChart(library, element, height, payload, marks, view, {
        onCursor: (time) => {
          cursor.current = time;
          latest.current.onCursor(time);
        },
        onDrag: (range, shift) =>
          shift || latest.current.picking
            ? latest.current.onRange(range)
            : latest.current.onView(range, false),
        onClick: (time) => latest.current.onMoment(time),
      });
      observer.observe(element);
    });
    return () => {
      gone = true;
      observer.disconnect();
      chart.peek()?.destroy();
    };
  }, []);
  useEffect(() => chart.peek()?.update(props.payload, props.marks, props.view));
  useEffect(
    () => chart.peek()?.resize(place.current?.clientWidth ?? 0, props.height),
    [props.height],
  );
  useSignalEffect(() => {
    void palette.value;
    chart.value?.redraw();
  });

  const zoom = (factor: number, centre: number) =>
    props.onView(zoomRange(props.view, factor, centre, props.bounds), true);
  const wheel = (event: WheelEvent) => {
    const wanted = event.ctrlKey || event.metaKey || document.activeElement === place.current;
    if (!wanted || !chart.peek()) return;
    event.preventDefault();
    const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    const span = props.view.end - props.view.start;
    if (sideways)
      props.onView(panRange(props.view, (event.deltaX / 500) * span, props.bounds), true);
    else
      zoom(Math.exp(event.deltaY / 300), chart.peek()?.timeAt(event.clientX) ?? props.view.start);
  };
  const key = (event: KeyboardEvent) => {
    const span = props.view.end - props.view.start;
    const centre = cursor.current ?? (props.view.start + props.view.end) / 2;
    const factor = ZOOM_KEYS[event.key];
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (factor !== undefined) zoom(factor, centre);
    else if (move !== undefined && event.shiftKey) {
      props.onView(panRange(props.view, (move * span) / 4, props.bounds), true);
    } else if (move !== undefined) {
      const time = Math.min(
        Math.max(centre + (move * span) / 100, props.view.start),
        props.view.end,
      );
      chart.peek()?.pointAt(time);
    } else if (event.key === "Enter") props.onMoment(centre);
    else if (event.key === "0" || event.key === "Escape") props.onView(null, false);
    else return;
    event.preventDefault();
  };
  return (
    <div
      class="timeline"
      ref={place}
      tabIndex={0}
      role="group"
      aria-label={`${props.label} Arrow keys move the cursor, plus and minus zoom, Enter points at a moment, 0 shows all.`}
      style={{ height: `${props.height}px` }}
      onWheel={wheel}
      onKeyDown={key}
    />
  );
}
