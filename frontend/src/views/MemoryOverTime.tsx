/** The memory timeline with its title, legend and readout; zoom by drag, wheel and keys. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { address } from "../api/client.ts";
import type { MemoryReport, SitePayload, TimelinePayload } from "../api/wire.ts";
import { Timeline } from "../charts/Timeline.tsx";
import { bytes, counted, duration, grouped, percent, signedBytes } from "../lib/numbers.ts";
import { formatRange, zoomRange } from "../lib/range.ts";
import { lastAt } from "../lib/search.ts";
import { stepAt } from "../lib/steps.ts";
import { subject } from "../state/data.ts";
import { at, go } from "../state/place.ts";
import { useResource } from "../state/resource.ts";
import { chosenSite, nameOf } from "../state/sites.ts";
import {
  bounds,
  drawn,
  drawnOver,
  look,
  moment,
  near,
  picked,
  sight,
  whole,
} from "../state/timeline.ts";
import { Figure } from "../ui/Figure.tsx";
import { Name } from "../ui/Name.tsx";
import { Loading, Trouble } from "../ui/Trouble.tsx";

/** From how many events the chart is drawn, and whether any were left out. */
function drawnFrom(payload: TimelinePayload): string {
  const from = counted(payload.events, "event");
  const how = payload.sampled
    ? `drawn from ${grouped(payload.points)} points that keep every peak and trough`
    : "none left out";
  const merged = payload.steps.merged ? ", steps merged for drawing" : "";
  return `${from}, ${how}${merged}`;
}

/** What stood at a moment, for the readout. */
function readAt(payload: TimelinePayload, time: number): string {
  const { columns, steps } = payload;
  const index = Math.max(0, lastAt(columns.time_ns, time));
  const step = stepAt(steps, time);
  const stack = columns.stack_bytes[index] ?? 0;
  return [
    step === null ? "between steps" : `step ${step}`,
    duration(time),
    `heap ${bytes(columns.heap_bytes[index])}`,
    stack ? `stack ${bytes(stack)}` : "",
    `free ${bytes(columns.free_bytes[index])}`,
    `fragmentation ${percent(columns.fragmentation[index])}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

function tableRows(payload: TimelinePayload): string[][] {
  const { columns, steps } = payload;
  return columns.time_ns.map((time, i) => [
    duration(time),
    String(stepAt(steps, time) ?? ""),
    grouped(columns.heap_bytes[i]),
    grouped(columns.stack_bytes[i]),
    grouped(columns.free_bytes[i]),
    percent(columns.fragmentation[i]),
  ]);
}

interface LegendProps {
  payload: TimelinePayload;
  capacity: number | null;
  /** The name of the site that is lit up. */
  site: string | null;
}

function Legend({ payload, capacity, site }: LegendProps) {
  const hasStack = payload.columns.stack_bytes.some((size) => (size ?? 0) > 0);
  const whole = at("scale") === "capacity";
  return (
    <div class="legend">
      <span>
        <i class="swatch" style={{ "--ink": "var(--heap)", "--fill": "var(--heap-fill)" }} />
        heap
      </span>
      {hasStack && (
        <span>
          <i class="swatch" style={{ "--ink": "var(--stack)", "--fill": "var(--stack)" }} />
          stack
        </span>
      )}
      <span>
        <i class="swatch" data-flat style={{ "--fill": "var(--free)" }} />
        free
      </span>
      <span>
        <i class="swatch" data-dashed style={{ "--ink": "var(--fragmentation)" }} />
        {payload.sampled ? "fragmentation at its highest, 0 to 100 %" : "fragmentation, 0 to 100 %"}
      </span>
      {payload.growth && (
        <span title="A line through each step's lowest use: all of the heap, with the allocator's rounding, not the leaks alone">
          <i class="swatch" style={{ "--ink": "var(--alarm)" }} />
          the whole heap on its troughs, {signedBytes(payload.growth.bytes_per_step)} a step
        </span>
      )}
      {site !== null && (
        <span>
          <i class="swatch" style={{ "--ink": "var(--accent)" }} />
          live of <Name text={site} most={40} />
        </span>
      )}
      {capacity !== null && (
        <button
          type="button"
          class="link-button"
          aria-pressed={whole}
          onClick={() => go({ scale: whole ? "" : "capacity" }, true)}
        >
          {whole ? "fit to what is in use" : `show up to the limit, ${bytes(capacity)}`}
        </button>
      )}
    </div>
  );
}

function ZoomButtons() {
  const zoom = (factor: number) => {
    const view = sight.value;
    look(zoomRange(view, factor, (view.start + view.end) / 2, bounds.value), true);
  };
  return (
    <span class="bar">
      <button type="button" class="small-button" aria-label="Zoom in" onClick={() => zoom(0.5)}>
        +
      </button>
      <button
        type="button"
        class="small-button"
        aria-label="Zoom out"
        disabled={at("zoom") === ""}
        onClick={() => zoom(2)}
      >
        −
      </button>
      <button
        type="button"
        class="small-button"
        disabled={at("zoom") === ""}
        onClick={() => look(null, false)}
      >
        Show all
      </button>
    </span>
  );
}

interface Props {
  memory: MemoryReport;
  height: number;
  /** Stands right under the chart. */
  children?: ComponentChildren;
}

export function MemoryOverTime({ memory, height, children }: Props) {
  const readout = useSignal("");
  const chosen = chosenSite.value;
  const lit = useResource<SitePayload>(
    subject.value && chosen !== null
      ? address("site", { ...subject.value, site: chosen, limit: 0 })
      : null,
  );
  const payload = drawn.value;
  const failed = [whole, near].find((one) => one.error.value);
  if (failed?.error.value) return <Trouble error={failed.error.value} onRetry={failed.retry} />;
  if (!payload || !whole.data.value) return <Loading what="Reading the timeline…" />;
  const capacity = memory.totals.capacity_bytes;
  const live = lit.data.value?.live;
  const site = live ? { times: live.time_ns, values: live.bytes } : null;
  const growth = payload.growth ? `, growing ${bytes(payload.growth.bytes_per_step)} a step` : "";
  const label = `Memory over time: peak ${bytes(memory.totals.peak_bytes)}${growth}.`;
  return (
    <>
      <Figure
        title="Memory over time"
        note={drawnFrom(payload)}
        readout={readout}
        header={["Time", "Step", "Heap, bytes", "Stack, bytes", "Free, bytes", "Fragmentation"]}
        rows={() => tableRows(payload)}
        tools={<ZoomButtons />}
      >
        <Timeline
          payload={payload}
          marks={{
            at: moment.value,
            range: picked.value,
            capacity,
            wholeCapacity: at("scale") === "capacity",
            site,
          }}
          baseline={memory.totals.baseline_bytes}
          view={sight.value}
          bounds={bounds.value}
          height={height}
          label={label}
          onView={look}
          onCursor={(time) => (readout.value = time === null ? "" : readAt(payload, time))}
          onMoment={(time) => go({ at: String(Math.round(time)), view: "timeline" })}
          onRange={(range) => go({ range: formatRange(range), view: "timeline" })}
          picking={at("drag") === "pick"}
          onColumns={drawnOver}
        />
        {children}
      </Figure>
      <Legend
        payload={payload}
        capacity={capacity}
        site={chosen !== null && site ? nameOf(chosen) : null}
      />
    </>
  );
}
