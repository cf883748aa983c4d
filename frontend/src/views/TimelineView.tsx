/** The timeline in full: zoom, jump to a step, point at a moment, pick a range. */
import type { MemoryReport } from "../api/wire.ts";
import { Strip } from "../charts/Strip.tsx";
import { at, go } from "../state/place.ts";
import { look, picked, sight, whole } from "../state/timeline.ts";
import { Meanwhile } from "./Meanwhile.tsx";
import { MemoryOverTime } from "./MemoryOverTime.tsx";
import { Moment } from "./Moment.tsx";
import { Stretch } from "./Stretch.tsx";

/** Look at one step with half a step on either side. */
function lookAtStep(number: number): void {
  const steps = whole.data.peek()?.steps;
  const index = steps ? steps.number.findIndex((one) => one >= number) : -1;
  const start = steps?.start_ns[index];
  const end = steps?.end_ns[index];
  if (start === undefined || end === undefined) return;
  const margin = (end - start) / 2;
  look({ start: Math.max(0, start - margin), end: end + margin }, false);
}

function Toolbar({ memory }: { memory: MemoryReport }) {
  const picking = at("drag") === "pick";
  const numbers = whole.data.value?.steps.number ?? [];
  const jump = (event: Event) => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem("step");
    if (field instanceof HTMLInputElement && field.value !== "") lookAtStep(Number(field.value));
  };
  return (
    <div class="bar toolbar">
      <span class="label">Drag to</span>
      <button
        type="button"
        class="small-button"
        aria-pressed={!picking}
        onClick={() => go({ drag: "" }, true)}
      >
        zoom
      </button>
      <button
        type="button"
        class="small-button"
        aria-pressed={picking}
        onClick={() => go({ drag: "pick" }, true)}
        title="Or hold Shift while dragging"
      >
        pick a range
      </button>
      <form class="bar" onSubmit={jump}>
        <label class="label" for="step">
          Go to step
        </label>
        <input
          class="text-field step-field"
          id="step"
          name="step"
          type="number"
          min={numbers[0] ?? 0}
          max={numbers.at(-1) ?? ""}
          placeholder={numbers.length > 0 ? `${numbers[0]} to ${numbers.at(-1)}` : ""}
        />
      </form>
      {memory.totals.peak_ns !== null && (
        <button
          type="button"
          class="small-button"
          onClick={() => go({ at: String(memory.totals.peak_ns) })}
        >
          Point at the peak
        </button>
      )}
      <span class="label push">
        Click to point at a moment · Shift and drag to pick a range · Ctrl and wheel to zoom
      </span>
    </div>
  );
}

export function TimelineView({ memory }: { memory: MemoryReport }) {
  const all = whole.data.value;
  return (
    <>
      <section class="section" aria-label="Memory over time">
        <Toolbar memory={memory} />
        <MemoryOverTime memory={memory} height={264}>
          {all && (
            <Strip payload={all} view={sight.value} onView={(view, done) => look(view, !done)} />
          )}
        </MemoryOverTime>
        <Meanwhile />
      </section>
      {picked.value && <Stretch range={picked.value} />}
      <Moment memory={memory} />
    </>
  );
}
