/** The stretch of time in sight, and the timeline's data for it, refetched after each zoom. */
import { computed, effect, signal } from "@preact/signals";
import { address } from "../api/client.ts";
import type { TimelinePayload } from "../api/wire.ts";
import { formatRange, parseRange, type Range, within } from "../lib/range.ts";
import { subject } from "./data.ts";
import { at, go } from "./place.ts";
import { resource } from "./resource.ts";

const PIXEL_STEP = 200;
const coarse = (columns: number) =>
  Math.max(PIXEL_STEP, Math.ceil(columns / PIXEL_STEP) * PIXEL_STEP);

/** Pixel columns to ask for: the window's until the chart has been laid out. */
export const pixels = signal(coarse(window.innerWidth * (window.devicePixelRatio || 1)));

/** The chart has become this wide. Asked again only when it would look coarse, or waste half. */
export function drawnOver(columns: number): void {
  if (columns > pixels.peek() || columns < pixels.peek() / 2) pixels.value = coarse(columns);
}

const SETTLE_MS = 120;
const settled = signal(at("zoom"));
effect(() => {
  const now = at("zoom");
  const timer = setTimeout(() => {
    settled.value = now;
  }, SETTLE_MS);
  return () => clearTimeout(timer);
});

function where(range: Range | null): string | null {
  if (!subject.value) return null;
  return address("timeline", {
    ...subject.value,
    start_ns: range?.start,
    end_ns: range?.end,
    pixels: pixels.value,
  });
}

const subjectKey = () => JSON.stringify(subject.value);

/** The whole window: its bounds, and what the strip under a zoomed chart shows. */
export const whole = resource<TimelinePayload>(() => where(null), subjectKey);

export const bounds = computed<Range>(() => ({
  start: whole.data.value?.start_ns ?? 0,
  end: whole.data.value?.end_ns ?? 1,
}));

/** The stretch in sight, where that is not the whole window. */
export const near = resource<TimelinePayload>(() => {
  const range = settled.value === "" ? null : within(parseRange(settled.value), bounds.value);
  return whole.data.value && range ? where(range) : null;
}, subjectKey);

/** What the chart draws: the whole window until the stretch in sight has come. */
export const drawn = computed(() => near.data.value ?? whole.data.value);

export const sight = computed<Range>(
  () => within(parseRange(at("zoom")), bounds.value) ?? bounds.value,
);

/** Look at a stretch; the whole window when it is (nearly) that. */
export function look(range: Range | null, replace: boolean): void {
  const all = bounds.peek();
  const whole = !range || range.end - range.start >= (all.end - all.start) * 0.999;
  go({ zoom: whole ? "" : formatRange(range) }, replace);
}

export const moment = computed(() => {
  const time = /^\d+$/.test(at("at")) ? Number(at("at")) : null;
  return Number.isSafeInteger(time) ? time : null;
});
export const picked = computed(() => parseRange(at("range")));
