/** Snapshots: what each line held in each device-memory profile, and what grew. */
import { useMemo } from "preact/hooks";
import { address } from "../api/client.ts";
import type { SnapshotsPayload } from "../api/programs.ts";
import { rowsOf } from "../lib/columns.ts";
import { bytes, counted } from "../lib/numbers.ts";
import { frameText, placeText } from "../lib/text.ts";
import { host, session } from "../state/data.ts";
import { at, go } from "../state/place.ts";
import { useResource } from "../state/resource.ts";
import { changes, counts, names, sizes, words } from "../ui/cells.tsx";
import type { Column } from "../ui/columns.ts";
import { Notices } from "../ui/Notices.tsx";
import { Loading, Trouble } from "../ui/Trouble.tsx";
import { PlacedTable } from "./PlacedTable.tsx";
import { ProgramFindings } from "./ProgramFindings.tsx";

type Row = ReturnType<typeof rowsOf<SnapshotsPayload["sites"]["columns"]>>[number] & {
  index: number;
};

const last = (values: readonly number[]) => values[values.length - 1] ?? 0;
const grown = (values: readonly number[]) => last(values) - (values[0] ?? 0);
const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** Programs have no bytes in many profiles: then their number is what grew. */
function inNumber(row: Row): string | undefined {
  const count = grown(row.counts);
  if (grown(row.bytes) !== 0 || count === 0) return;
  const noun = row.kind === "executable" ? "program" : "array";
  return `${count > 0 ? "+" : ""}${counted(count, noun)}`;
}

const growth = changes<Row>("growth", "Grew by", (row) => grown(row.bytes), {
  hint: "Bytes in the last profile more than in the first, else how many",
});

/** A column a snapshot, then the change; the newest few where there are many. */
function columnsFor(payload: SnapshotsPayload): Column<Row>[] {
  const files = payload.snapshots.map((one, index) => ({ name: one.name, index })).slice(-6);
  return [
    names("place", "Made at", (row) => placeText(row.place) || "place not told", { width: 240 }),
    { ...growth, show: (row) => inNumber(row) ?? growth.show(row) },
    counts("more", "More", (row) => grown(row.counts), {
      spare: 19,
      hint: "In the last profile more than in the first",
    }),
    counts("count", "Now", (row) => last(row.counts), {
      hint: "How many live in the last profile",
    }),
    ...files.map(({ name, index }) =>
      sizes(`bytes_${index + 1}`, name, (row: Row) => row.bytes[index] ?? 0, {
        width: 104,
        spare: index + 1,
      }),
    ),
    changes("added", "Added", (row) => total(row.more_bytes), {
      spare: 20,
      hint: "All that was added from one profile to the next",
    }),
    words("kind", "What", (row) => row.kind, { spare: 1 }),
    words("device", "Device", (row) => row.device, { spare: 21 }),
  ];
}

function StackOf({ row }: { row: Row }) {
  return (
    <section class="section" aria-label="Stack of the chosen place">
      <div class="figure-head">
        <h2>Stack of the chosen place</h2>
        <span class="label">innermost first</span>
      </div>
      <ol class="stack" tabIndex={0} aria-label="Stack, innermost first">
        {row.stack.map((frame, index) => (
          <li key={index} class={row.own_stack.includes(frame) ? "own" : ""}>
            {frameText(frame)}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The place that stands first in the table: that of most bytes more, else of most more in number. */
function mostGrown(rows: readonly Row[]): Row | undefined {
  const by = (row: Row) => [grown(row.bytes), grown(row.counts)] as const;
  return [...rows].sort((a, b) => by(b)[0] - by(a)[0] || by(b)[1] - by(a)[1])[0];
}

export function SnapshotsView() {
  const where =
    session.value && host.value ? { session: session.value.id, host: host.value.host } : null;
  const answer = useResource<SnapshotsPayload>(where && address("snapshots", where));
  const payload = answer.data.value;
  const rows = useMemo<Row[]>(
    () => (payload ? rowsOf(payload.sites.columns).map((row, index) => ({ ...row, index })) : []),
    [payload],
  );
  const columns = useMemo(() => (payload ? columnsFor(payload) : []), [payload]);
  if (answer.error.value) return <Trouble error={answer.error.value} onRetry={answer.retry} />;
  if (!payload) return <Loading what="Reading the snapshots…" />;
  const chosen = rows.find((row) => String(row.index) === at("place")) ?? mostGrown(rows);
  return (
    <>
      <Notices warnings={payload.warnings} />
      <section class="section" aria-label="Snapshots">
        <p class="label">
          {payload.snapshots
            .map(
              (one) => `${one.name}: ${counted(one.buffers, "buffer")}, ${bytes(one.buffer_bytes)}`,
            )
            .join(" → ")}
          {` · ordered by ${payload.ordered_by}`}
        </p>
        <ProgramFindings findings={payload.findings} />
      </section>
      <section class="section" aria-label="Places">
        <PlacedTable
          title="Places"
          name="snapshots"
          columns={columns}
          rows={rows}
          keyOf={(row) => row.index}
          height={28 * 10}
          first={rows.some((row) => grown(row.bytes) !== 0) ? "-growth" : "-more"}
          isSelected={(row) => row.index === chosen?.index}
          onPick={(row) => go({ place: String(row.index) }, true)}
          example="growth>0 kind:buffer"
        />
      </section>
      {chosen && <StackOf row={chosen} />}
    </>
  );
}
