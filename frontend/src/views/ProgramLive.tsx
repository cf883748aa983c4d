/** What is live at one point of a program: by size, by padding, by program order; as areas too. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { ModulePayload } from "../api/programs.ts";
import { Treemap } from "../charts/Treemap.tsx";
import { type BufferRow, bufferName, buffersOf, paddingOf } from "../lib/buffers.ts";
import { bytes, counted, grouped } from "../lib/numbers.ts";
import { at, go } from "../state/place.ts";
import { counts, exactSizes, names, sizes, words } from "../ui/cells.tsx";
import type { Column } from "../ui/columns.ts";
import { Figure } from "../ui/Figure.tsx";
import { PlacedTable } from "./PlacedTable.tsx";
import { SHADES } from "./ProgramPlan.tsx";

const COLUMNS: readonly Column<BufferRow>[] = [
  names("buffer", "Buffer", bufferName),
  exactSizes("size", "Size", (row) => row.size_bytes, { width: 108 }),
  sizes("padding", "Padding", paddingOf, { spare: 2, hint: "Bytes that the layout adds" }),
  words("kind", "Kind", (row) => row.kind),
  {
    ...counts("born", "Born", (row: BufferRow) => row.born ?? -1, {
      hint: "Point of program order",
    }),
    show: (row) => (row.born === null ? "start" : grouped(row.born)),
  },
  {
    ...counts("freed", "Freed", (row: BufferRow) => row.freed ?? Number.MAX_SAFE_INTEGER, {
      spare: 1,
    }),
    show: (row) => (row.freed === null ? "end" : grouped(row.freed)),
  },
  words("opcode", "Opcode", (row) => row.opcode, { spare: 3, width: 100 }),
  names("shape", "Shape", (row) => row.shape, { spare: 4, width: 150 }),
  names("source", "Source", (row) => row.source, { spare: 5, width: 130 }),
];

type Grouping = "buffer" | "op" | "source";

/** The label that tiles of one group share. */
function groupOf(row: BufferRow, by: Grouping): string {
  if (by === "source") return row.source || "source not told";
  if (by === "op")
    return row.op_name.split("/").slice(0, -1).join("/") || row.op_name || row.opcode;
  return bufferName(row);
}

function groups(rows: readonly BufferRow[], by: Grouping): [string, BufferRow[]][] {
  const found = new Map<string, BufferRow[]>();
  for (const row of rows) {
    const key = by === "buffer" ? `${row.buffer}` : groupOf(row, by);
    const group = found.get(key);
    if (group) group.push(row);
    else found.set(key, [row]);
  }
  const size = (group: readonly BufferRow[]) => group.reduce((sum, row) => sum + row.size_bytes, 0);
  return [...found].sort(([, a], [, b]) => size(b) - size(a));
}

export function ProgramLive({ payload }: { payload: ModulePayload }) {
  const readout = useSignal("");
  const { live } = payload;
  const rows = useMemo(() => buffersOf(live.columns, payload.strings), [payload]);
  const by: Grouping = at("group") === "op" ? "op" : at("group") === "source" ? "source" : "buffer";
  const tiles = useMemo(() => groups(rows, by), [rows, by]);
  const where = at("point") === "" ? "at the peak" : `at point ${at("point")}`;
  const rest =
    live.left_out > 0 ? `, ${grouped(live.left_out)} more with ${bytes(live.left_out_bytes)}` : "";
  return (
    <section class="section" aria-label="Live at one point">
      <Figure
        title={`Live ${where}`}
        note={`${bytes(live.bytes)} in ${counted(live.total, "buffer")}${rest}`}
        readout={readout}
        header={["Group", "Bytes"]}
        rows={() =>
          tiles.map(([, group]) => [
            groupOf(group[0] as BufferRow, by),
            grouped(group.reduce((sum, row) => sum + row.size_bytes, 0)),
          ])
        }
        tools={
          <span class="bar">
            {(["buffer", "op", "source"] as const).map((one) => (
              <button
                key={one}
                type="button"
                class="small-button"
                aria-pressed={by === one}
                onClick={() => go({ group: one === "buffer" ? "" : one }, true)}
              >
                by {one === "op" ? "op path" : one}
              </button>
            ))}
            {at("point") !== "" && (
              <button type="button" class="small-button" onClick={() => go({ point: "" })}>
                Back to the peak
              </button>
            )}
          </span>
        }
      >
        <Treemap
          tiles={tiles.map(([, group]) => ({
            name: groupOf(group[0] as BufferRow, by),
            size: group.reduce((sum, row) => sum + row.size_bytes, 0),
            shade: SHADES[group[0]?.kind ?? ""],
            chosen: group.some((row) => String(row.buffer) === at("buffer")),
          }))}
          label={`What is live ${where}, by ${by}.`}
          height={140}
          onRead={(text) => {
            readout.value = text;
          }}
          onPick={(index) => go({ buffer: String(tiles[index]?.[1][0]?.buffer ?? "") }, true)}
        />
      </Figure>
      <div class="below">
        <PlacedTable
          title="Buffers"
          name="buffers"
          columns={COLUMNS}
          rows={rows}
          keyOf={(row) => row.buffer}
          height={28 * 8}
          first="-size"
          second
          isSelected={(row) => String(row.buffer) === at("buffer")}
          onPick={(row) => go({ buffer: String(row.buffer) }, true)}
          example="kind:temporary size>1MiB"
        />
      </div>
    </section>
  );
}
