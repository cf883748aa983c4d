/** Every site of the memory: where blocks come from, what became of them. */
import { bytes, grouped, signedBytes } from "../lib/numbers.ts";
import { formatSort, parseSort } from "../lib/sort.ts";
import { siteName } from "../lib/text.ts";
import { kindWords } from "../lib/words.ts";
import { memory, sites } from "../state/data.ts";
import { at, go } from "../state/place.ts";
import { type SiteRow, siteRows } from "../state/sites.ts";
import type { Column } from "../ui/columns.ts";
import { FilteredTable } from "../ui/FilteredTable.tsx";
import { Name } from "../ui/Name.tsx";
import { Loading, Trouble } from "../ui/Trouble.tsx";

type Row = SiteRow;

/** Zeros stand back, so that the eye finds what is not zero. */
function quiet(value: number | null, format: (value: number | null) => string) {
  return value === 0 ? <span class="zero">0</span> : format(value);
}

const count = (
  key: string,
  title: string,
  of: (row: Row) => number,
  spare: number,
  hint: string,
): Column<Row> => ({
  key,
  title,
  width: 84,
  numeric: true,
  spare,
  hint,
  value: of,
  show: (row) => quiet(of(row), grouped),
});

const size = (
  key: string,
  title: string,
  of: (row: Row) => number | null,
  spare: number,
  hint: string,
): Column<Row> => ({
  key,
  title,
  width: 84,
  numeric: true,
  spare,
  hint,
  value: of,
  show: (row) => quiet(of(row), bytes),
});

const COLUMNS: readonly Column<Row>[] = [
  {
    key: "site",
    title: "Site",
    width: 220,
    hint: "Operation, shape and type of what was allocated",
    value: siteName,
    show: (row) => <Name text={siteName(row)} most={72} />,
  },
  {
    key: "kind",
    title: "Found to be",
    width: 96,
    value: (row) => row.kind && kindWords(row.kind),
    show: (row) => <span class="muted">{row.kind ? kindWords(row.kind) : ""}</span>,
  },
  {
    key: "rate",
    title: "A step",
    width: 84,
    numeric: true,
    hint: "Bytes left behind a step",
    value: (row) => row.bytes_per_step,
    show: (row) => (row.bytes_per_step ? signedBytes(row.bytes_per_step) : ""),
  },
  size(
    "live",
    "Still live",
    (row) => row.survivor_bytes,
    0,
    "Bytes born in the window and live at its end",
  ),
  count(
    "survivors",
    "Blocks",
    (row) => row.survivors,
    0,
    "Blocks born in the window and live at its end",
  ),
  count("allocations", "Allocations", (row) => row.allocations, 2, "Blocks born in the window"),
  count(
    "deallocations",
    "Freed",
    (row) => row.deallocations,
    3,
    "Blocks born in the window and freed in it",
  ),
  size(
    "peak",
    "Most at once",
    (row) => row.peak_live_bytes,
    1,
    "The most bytes live at one moment",
  ),
  size(
    "churn",
    "Allocated",
    (row) => row.allocated_bytes,
    4,
    "All bytes allocated in the window, freed or not",
  ),
  {
    key: "thread",
    title: "Thread",
    width: 90,
    spare: 5,
    value: (row) => row.thread,
    show: (row) => <Name text={row.thread} most={28} />,
  },
];

/** Columns that only filter and files use. */
const HIDDEN: readonly Column<Row>[] = [
  { key: "op", title: "Op", width: 0, value: (row) => row.op, show: (row) => row.op },
  { key: "stack", title: "Stack", width: 0, value: (row) => row.stack.join(" < "), show: () => "" },
];

export function Sites({ height }: { height: number }) {
  const payload = sites.data.value;
  if (sites.error.value) return <Trouble error={sites.error.value} onRetry={sites.retry} />;
  if (!payload) return <Loading what="Reading the sites…" />;
  const findings = new Set(memory.value?.findings.map((finding) => finding.id));
  const pick = (row: Row) =>
    row.finding && findings.has(row.finding)
      ? go({ finding: row.finding, site: "" })
      : go({ site: String(row.index), finding: "" });
  const chosen = (row: Row) =>
    at("site")
      ? at("site") === String(row.index)
      : at("finding") !== "" && row.finding === at("finding");
  return (
    <FilteredTable
      title="Sites"
      name="sites"
      columns={COLUMNS}
      hidden={HIDDEN}
      rows={siteRows.value}
      keyOf={(row) => row.index}
      height={height}
      filter={at("filter")}
      onFilter={(filter) => go({ filter }, true)}
      sort={parseSort(at("sort")) ?? { key: "live", descending: true }}
      onSort={(sort) => go({ sort: formatSort(sort) }, true)}
      isSelected={chosen}
      onPick={pick}
      example="relu live>1MiB"
    />
  );
}
