/** What a stretch of time made, freed and left: the picked range A to B, and what is still there at C. */
import { useMemo } from "preact/hooks";
import { address } from "../api/client.ts";
import type { RangePayload } from "../api/wire.ts";
import { rowsOf } from "../lib/columns.ts";
import { bytes, counted, duration, grouped, signedBytes } from "../lib/numbers.ts";
import { formatRange, type Range } from "../lib/range.ts";
import { formatSort, parseSort } from "../lib/sort.ts";
import { subject } from "../state/data.ts";
import { at, go } from "../state/place.ts";
import { useResource } from "../state/resource.ts";
import { chooseSite, chosenSite, nameOf } from "../state/sites.ts";
import { look, moment } from "../state/timeline.ts";
import type { Column } from "../ui/columns.ts";
import { FilteredTable } from "../ui/FilteredTable.tsx";
import { Name } from "../ui/Name.tsx";
import { Loading, Trouble } from "../ui/Trouble.tsx";

type Row = ReturnType<typeof rowsOf<RangePayload["columns"]>>[number];
type Figure = (row: Row) => number;

function column(key: string, title: string, of: Figure, hint: string, spare = 0): Column<Row> {
  const count = key.endsWith("blocks");
  return {
    key,
    title,
    width: 88,
    numeric: true,
    spare,
    hint,
    value: of,
    show: (row) =>
      of(row) === 0 ? (
        <span class="zero">0</span>
      ) : count ? (
        grouped(of(row))
      ) : key === "net" ? (
        signedBytes(of(row))
      ) : (
        bytes(of(row))
      ),
  };
}

const COLUMNS: readonly Column<Row>[] = [
  {
    key: "site",
    title: "Site",
    width: 220,
    value: (row) => nameOf(row.site),
    show: (row) => <Name text={nameOf(row.site)} most={72} />,
  },
  column(
    "survived",
    "Still there",
    (row) => row.survived_bytes,
    "Born here and live at the later moment",
  ),
  column("survived_blocks", "Blocks", (row) => row.survived_blocks, "Blocks of these"),
  column(
    "left",
    "Left at its end",
    (row) => row.left_bytes,
    "Born here and live when the range ends",
    1,
  ),
  column("net", "Net", (row) => row.net_bytes, "Born less freed"),
  column("born", "Born", (row) => row.born_bytes, "Allocated in the range", 2),
  column("born_blocks", "Blocks", (row) => row.born_blocks, "Blocks allocated in the range", 3),
  column("freed", "Freed", (row) => row.freed_bytes, "Freed in the range, whenever born", 2),
  column("freed_blocks", "Blocks", (row) => row.freed_blocks, "Blocks freed in the range", 3),
];

/** The later moment C: the pointed-at moment when it lies after the range, else the window's end. */
function laterMoment(range: Range): number | null {
  return moment.value !== null && moment.value > range.end ? moment.value : null;
}

export function Stretch({ range }: { range: Range }) {
  const then = laterMoment(range);
  const where = subject.value;
  const answer = useResource<RangePayload>(
    where &&
      address("range", { ...where, start_ns: range.start, end_ns: range.end, then_ns: then }),
    JSON.stringify(where),
  );
  const payload = answer.data.value;
  const rows = useMemo(() => (payload ? rowsOf(payload.columns) : []), [payload]);
  if (answer.error.value) return <Trouble error={answer.error.value} onRetry={answer.retry} />;
  if (!payload) return <Loading what="Reading the range…" />;
  const { totals } = payload;
  const until = then === null ? "at the end of the window" : `at ${duration(then)}`;
  return (
    <section class="section" aria-label="The picked range">
      <div class="figure-head">
        <h2>
          From {duration(range.start)} to {duration(range.end)}
        </h2>
        <span class="label cut">
          {counted(totals.born_blocks, "block")} born ({bytes(totals.born_bytes)}),{" "}
          {grouped(totals.freed_blocks)} freed ({bytes(totals.freed_bytes)}),{" "}
          {grouped(totals.survived_blocks)} of them still there {until} (
          {bytes(totals.survived_bytes)})
        </span>
        <span class="push bar">
          <button type="button" class="small-button" onClick={() => look(range, false)}>
            Zoom to it
          </button>
          <button
            type="button"
            class="small-button"
            onClick={() => go({ range: formatRange(null) })}
          >
            Let it go
          </button>
        </span>
      </div>
      <FilteredTable
        title="Sites of the range"
        name="range"
        columns={COLUMNS}
        rows={rows}
        keyOf={(row) => row.site}
        height={28 * 8}
        filter={at("filter")}
        onFilter={(filter) => go({ filter }, true)}
        sort={parseSort(at("sort")) ?? { key: "survived", descending: true }}
        onSort={(sort) => go({ sort: formatSort(sort) }, true)}
        isSelected={(row) => row.site === chosenSite.value}
        onPick={(row) => chooseSite(row.site)}
        example="survived>0"
      />
      <p class="label">
        To ask what is still there at another moment, point at one to the right of the range.
      </p>
    </section>
  );
}
