/** Snapshots: what each line held in each device-memory profile, and what grew. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { address } from "../api/client.ts";
import type { SnapshotsPayload } from "../api/programs.ts";
import { rowsOf } from "../lib/columns.ts";
import { bytes, counted, grouped, signedBytes } from "../lib/numbers.ts";
import { formatSort, parseSort } from "../lib/sort.ts";
import { host, session } from "../state/data.ts";
import { at, go } from "../state/place.ts";
import { useResource } from "../state/resource.ts";
import type { Column } from "../ui/columns.ts";
import { FilteredTable } from "../ui/FilteredTable.tsx";
import { Name } from "../ui/Name.tsx";
import { Notices } from "../ui/Notices.tsx";
import { Loading, Trouble } from "../ui/Trouble.tsx";
import { ProgramFindings } from "./ProgramFindings.tsx";

type Row = ReturnType<typeof rowsOf<SnapshotsPayload["sites"]["columns"]>>[number] & {
  index: number;
};

const last = (values: readonly number[]) => values[values.length - 1] ?? 0;
const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** A column a snapshot, then the change; the newest few where there are many. */
function columnsFor(payload: SnapshotsPayload): Column<Row>[] {
  const files = payload.snapshots.map((one, index) => ({ name: one.name, index })).slice(-6);
  return [
    {
      key: "place",
      title: "Made at",
      width: 240,
      value: (row) => row.place,
      show: (row) => <Name text={row.place || "place not told"} most={72} />,
    },
    {
      key: "growth",
      title: "Grew by",
      width: 92,
      numeric: true,
      hint: "Bytes in the last profile more than in the first",
      value: (row) => last(row.bytes) - (row.bytes[0] ?? 0),
      show: (row) => {
        const change = last(row.bytes) - (row.bytes[0] ?? 0);
        return change === 0 ? <span class="zero">0</span> : signedBytes(change);
      },
    },
    {
      key: "count",
      title: "Now",
      width: 76,
      numeric: true,
      hint: "How many live in the last profile",
      value: (row) => last(row.counts),
      show: (row) => grouped(last(row.counts)),
    },
    ...files.map(
      ({ name, index }): Column<Row> => ({
        key: `bytes_${index + 1}`,
        title: name,
        width: 104,
        numeric: true,
        spare: index + 1,
        value: (row) => row.bytes[index] ?? 0,
        show: (row) => (row.bytes[index] ? bytes(row.bytes[index]) : <span class="zero">0</span>),
      }),
    ),
    {
      key: "added",
      title: "Added",
      width: 84,
      numeric: true,
      spare: 20,
      hint: "All that was added from one profile to the next",
      value: (row) => total(row.more_bytes),
      show: (row) => bytes(total(row.more_bytes)),
    },
    {
      key: "kind",
      title: "What",
      width: 84,
      spare: 22,
      value: (row) => row.kind,
      show: (row) => row.kind,
    },
    {
      key: "device",
      title: "Device",
      width: 76,
      spare: 21,
      value: (row) => row.device,
      show: (row) => row.device,
    },
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
            {frame}
          </li>
        ))}
      </ol>
    </section>
  );
}

export function SnapshotsView() {
  const picked = useSignal<number | null>(null);
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
  const chosen = rows.find((row) => row.index === picked.value) ?? rows[0];
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
        <FilteredTable
          title="Places"
          name="snapshots"
          columns={columns}
          rows={rows}
          keyOf={(row) => row.index}
          height={28 * 10}
          filter={at("filter")}
          onFilter={(filter) => go({ filter }, true)}
          sort={parseSort(at("sort")) ?? { key: "growth", descending: true }}
          onSort={(sort) => go({ sort: formatSort(sort) }, true)}
          isSelected={(row) => row.index === chosen?.index}
          onPick={(row) => {
            picked.value = row.index;
          }}
          example="growth>0 kind:buffer"
        />
      </section>
      {chosen && <StackOf row={chosen} />}
    </>
  );
}
