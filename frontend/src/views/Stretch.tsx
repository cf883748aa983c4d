/** What a stretch of time made, freed and left: the picked range A to B, and what is still there at C. */
import { useMemo } from "preact/hooks";
import { address } from "../api/client.ts";
import type { RangePayload } from "../api/wire.ts";
import { rowsOf } from "../lib/columns.ts";
import { bytes, counted, duration, grouped } from "../lib/numbers.ts";
import { formatRange, type Range } from "../lib/range.ts";
import { subject } from "../state/data.ts";
import { go } from "../state/place.ts";
import { useResource } from "../state/resource.ts";
import { chooseSite, chosenSites, nameOf } from "../state/sites.ts";
import { look, moment } from "../state/timeline.ts";
import { changes, counts, names, sizes } from "../ui/cells.tsx";
import type { Column } from "../ui/columns.ts";
import { Loading, Trouble } from "../ui/Trouble.tsx";
import { PlacedTable } from "./PlacedTable.tsx";

type Row = ReturnType<typeof rowsOf<RangePayload["columns"]>>[number];
const COLUMNS: readonly Column<Row>[] = [
  names("site", "Site", (row) => nameOf(row.site)),
  sizes("survived", "Still there", (row) => row.survived_bytes, {
    hint: "Born here and live at the later moment",
  }),
  counts("survived_blocks", "Blocks", (row) => row.survived_blocks),
  sizes("left", "Left at its end", (row) => row.left_bytes, {
    spare: 1,
    hint: "Born here and live when the range ends",
  }),
  changes("net", "Net", (row) => row.net_bytes, { hint: "Born less freed" }),
  sizes("born", "Born", (row) => row.born_bytes, { spare: 2, hint: "Allocated in the range" }),
  counts("born_blocks", "Blocks", (row) => row.born_blocks, { spare: 3 }),
  sizes("freed", "Freed", (row) => row.freed_bytes, {
    spare: 2,
    hint: "Freed in the range, whenever born",
  }),
  counts("freed_blocks", "Blocks", (row) => row.freed_blocks, { spare: 3 }),
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
          {counted(totals.born_blocks, "block")} born ({bytes(totals.born_bytes)}), of which{" "}
          {grouped(totals.survived_blocks)} ({bytes(totals.survived_bytes)}) are still there {until}
          ; {grouped(totals.freed_blocks)} freed ({bytes(totals.freed_bytes)})
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
      <PlacedTable
        title="Sites of the range"
        name="range"
        columns={COLUMNS}
        rows={rows}
        keyOf={(row) => row.site}
        height={28 * 8}
        first="-survived"
        second
        isSelected={(row) => chosenSites.value.has(row.site)}
        onPick={(row) => chooseSite(row.site)}
        example="survived>0"
      />
      <p class="label">
        To ask what is still there at another moment, point at one to the right of the range.
      </p>
    </section>
  );
}
