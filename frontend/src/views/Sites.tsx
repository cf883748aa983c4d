/** Every site of the memory: where blocks come from, what became of them. */
import { siteName } from "../lib/text.ts";
import { kindWords } from "../lib/words.ts";
import { memory, sites } from "../state/data.ts";
import { go } from "../state/place.ts";
import { chooseSites, chosenSites, type SiteRow, siteRows } from "../state/sites.ts";
import { changes, counts, names, sizes, words } from "../ui/cells.tsx";
import type { Column } from "../ui/columns.ts";
import { Loading, Trouble } from "../ui/Trouble.tsx";
import { PlacedTable } from "./PlacedTable.tsx";

type Row = SiteRow;

const COLUMNS: readonly Column<Row>[] = [
  names("site", "Site", siteName, { hint: "Operation, shape and type of what was allocated" }),
  words("kind", "Found to be", (row) => row.kind && kindWords(row.kind), { width: 96 }),
  changes("rate", "A step", (row) => row.bytes_per_step ?? 0, {
    hint: "Bytes left behind a step",
  }),
  sizes("live", "Still live", (row) => row.survivor_bytes, {
    hint: "Bytes born in the window and live at its end",
  }),
  counts("survivors", "Blocks", (row) => row.survivors, {
    hint: "Blocks born in the window and live at its end",
  }),
  counts("allocations", "Allocations", (row) => row.allocations, {
    spare: 2,
    hint: "Blocks born in the window",
  }),
  counts("deallocations", "Freed", (row) => row.deallocations, {
    spare: 3,
    hint: "Blocks born in the window and freed in it",
  }),
  sizes("peak", "Most at once", (row) => row.peak_live_bytes, {
    spare: 1,
    hint: "The most bytes live at one moment",
  }),
  sizes("churn", "Allocated", (row) => row.allocated_bytes, {
    spare: 4,
    hint: "All bytes allocated in the window, freed or not",
  }),
  sizes("rounding", "Rounding", (row) => row.rounding_bytes, {
    spare: 5,
    hint: "Allocated beyond what was requested, over all births",
  }),
  names("thread", "Thread", (row) => row.thread, { spare: 6, width: 90 }),
];

/** Columns that only filter and files use. */
const HIDDEN: readonly Column<Row>[] = [
  words("op", "Op", (row) => row.op),
  words("shape", "Shape", (row) => row.shape),
  words("dtype", "Type", (row) => row.dtype),
  words("region", "Region", (row) => row.region),
  words("stack", "Stack", (row) => row.stack.join(" < ")),
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
  return (
    <PlacedTable
      title="Sites"
      name="sites"
      columns={COLUMNS}
      hidden={HIDDEN}
      rows={siteRows.value}
      keyOf={(row) => row.index}
      height={height}
      first="-live"
      isSelected={(row) => chosenSites.value.has(row.index)}
      onPick={pick}
      onPickMore={(rows, toggle) => {
        const picked = rows.map((row) => row.index);
        chooseSites(picked, toggle);
      }}
      example="relu live>1MiB"
    />
  );
}
