/** The compiler's plan: each buffer's life in program order, at its place in memory. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { ModulePayload } from "../api/programs.ts";
import { BlockMap, type Look } from "../charts/BlockMap.tsx";
import { shadeColour } from "../charts/paint.ts";
import type { Window } from "../charts/rects.ts";
import { bufferName, buffersOf } from "../lib/buffers.ts";
import { bytes, counted, grouped } from "../lib/numbers.ts";
import { formatRange, parseRange } from "../lib/range.ts";
import { at, go } from "../state/place.ts";
import { Figure } from "../ui/Figure.tsx";

const HEIGHT = 300;
/** The colour of each kind of buffer, here and in the treemap. */
export const SHADES: Record<string, number> = {
  temporary: 1,
  parameter: 0,
  output: 2,
  constant: 3,
};

function lifeText(row: { born: number | null; freed: number | null }): string {
  return row.born === null ? "lives the whole program" : `points ${row.born} to ${row.freed}`;
}

export function ProgramPlan({ payload }: { payload: ModulePayload }) {
  const readout = useSignal("");
  const active = useSignal<number | null>(null);
  const rows = useMemo(
    () =>
      buffersOf(payload.buffers.columns, payload.strings).filter((row) => row.place_bytes !== null),
    [payload],
  );
  const last = Math.max(1, payload.points.total);
  const rects = useMemo(
    () => ({
      start_ns: rows.map((row) => row.born ?? 0),
      end_ns: rows.map((row) => row.freed ?? last),
      offset: rows.map((row) => row.place_bytes ?? 0),
      size_bytes: rows.map((row) => row.size_bytes),
    }),
    [rows, last],
  );
  const top = rects.offset.reduce(
    (high, low, i) => Math.max(high, low + (rects.size_bytes[i] ?? 0)),
    1,
  );
  const bounds: Window = { start: 0, end: last, low: 0, high: top };
  const points = parseRange(at("points"));
  const places = parseRange(at("rows"));
  const view: Window = {
    start: points?.start ?? 0,
    end: points?.end ?? last,
    low: places?.start ?? 0,
    high: places?.end ?? top,
  };
  const look: Look = {
    key: "kind",
    colour: (palette, i) => shadeColour(palette, SHADES[rows[i]?.kind ?? ""]),
    strength: (i) => (rows[i]?.born === null ? 0.25 : 0.55),
  };
  const chosen =
    at("buffer") === "" ? -1 : rows.findIndex((row) => String(row.buffer) === at("buffer"));
  const setView = (next: Window) => {
    const all = next.end - next.start >= last && next.high - next.low >= top;
    go(
      {
        points: all ? "" : formatRange(next),
        rows: all ? "" : formatRange({ start: next.low, end: next.high }),
      },
      true,
    );
  };
  const hover = (index: number | null) => {
    active.value = index;
    const row = index === null ? undefined : rows[index];
    readout.value = row
      ? `${bufferName(row)} · ${bytes(row.size_bytes)} · ${row.kind} · ${lifeText(row)}`
      : "";
  };
  const { total, left_out } = payload.buffers;
  return (
    <Figure
      title="Allocations in program order"
      note={`${counted(total, "buffer")}${left_out > 0 ? `, the ${grouped(left_out)} smallest not drawn` : ", each drawn"}; what lives the whole program is pale`}
      readout={readout}
      header={["Buffer", "Kind", "Bytes", "Place", "Born", "Freed", "Shape"]}
      rows={() =>
        rows.map((row) => [
          bufferName(row),
          row.kind,
          grouped(row.size_bytes),
          grouped(row.place_bytes),
          row.born === null ? "start" : grouped(row.born),
          row.freed === null ? "end" : grouped(row.freed),
          row.shape,
        ])
      }
      tools={
        at("points") !== "" && (
          <button type="button" class="small-button" onClick={() => setView(bounds)}>
            Show all
          </button>
        )
      }
    >
      <div class="plane">
        <BlockMap
          rects={rects}
          view={view}
          bounds={bounds}
          look={look}
          active={active.value ?? (chosen >= 0 ? chosen : null)}
          moment={payload.live.point}
          visits={() => true}
          label={`${counted(rows.length, "buffer")} by place and program order.`}
          height={HEIGHT}
          onView={setView}
          onHover={hover}
          onPick={(index) => go({ buffer: String(rows[index]?.buffer ?? "") }, true)}
        />
      </div>
      <div class="legend">
        {Object.entries(SHADES).map(([kind, shade]) => (
          <span key={kind}>
            <i class="swatch" data-flat style={{ "--fill": `var(--series-${shade})` }} />
            {kind}
          </span>
        ))}
      </div>
    </Figure>
  );
}
