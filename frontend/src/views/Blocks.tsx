/** The blocks of a site, survivors first: filtered, sorted and taken away where all of them are here. */
import { useMemo } from "preact/hooks";
import type { Params } from "../api/client.ts";
import type { BlockColumns, BlockEnd, SitePayload } from "../api/wire.ts";
import { rowsOf } from "../lib/columns.ts";
import { counted, duration, grouped, UNKNOWN } from "../lib/numbers.ts";
import { shapeText } from "../lib/text.ts";
import { go } from "../state/place.ts";
import { siteOf } from "../state/sites.ts";
import { exactSizes, names, words } from "../ui/cells.tsx";
import type { Column } from "../ui/columns.ts";
import { Later } from "../ui/Later.tsx";
import { PlacedTable } from "./PlacedTable.tsx";

export type Row = ReturnType<typeof rowsOf<BlockColumns>>[number];

const ENDS: Record<BlockEnd, string> = {
  survived: "still live",
  freed: "freed",
  lost: "free not seen",
  "pre-window": "from before",
};

const stepText = (step: number | null) => (step === null ? "outside" : grouped(step));
const ageText = (age: number | null) => (age === null ? UNKNOWN : counted(age, "step"));

/** A column that is filtered and sorted by its number, and shown in words. */
function told(
  key: string,
  title: string,
  value: (row: Row) => number | null,
  show: (row: Row) => string,
  extra: Partial<Column<Row>> = {},
): Column<Row> {
  return { key, title, width: 76, numeric: true, value, show, ...extra };
}

export const COLUMNS: readonly Column<Row>[] = [
  words("address", "Address", (row) => row.address, { width: 130 }),
  words("end", "Now", (row) => ENDS[row.end] ?? row.end),
  told(
    "step",
    "Born in step",
    (row) => row.born_step,
    (row) => stepText(row.born_step),
    {
      width: 84,
    },
  ),
  told(
    "age",
    "Age",
    (row) => row.age_steps,
    (row) => ageText(row.age_steps),
    {
      hint: "Steps from birth to the end of its life, or of the window",
    },
  ),
  told(
    "born",
    "Born at",
    (row) => row.born_ns,
    (row) => duration(row.born_ns),
    {
      spare: 3,
      hint: "Time since the start of the window",
    },
  ),
  exactSizes("requested", "Requested", (row) => row.requested_bytes, { width: 100, spare: 1 }),
  exactSizes("size", "Allocated", (row) => row.allocation_bytes, { width: 100 }),
  names("shape", "Shape", shapeText, { width: 120, spare: 4 }),
  names("thread", "Thread", (row) => row.thread, { width: 90, spare: 2 }),
];

/** Only filters and files use it: the blocks of a finding may be of several operations. */
const HIDDEN: readonly Column<Row>[] = [words("op", "Op", (row) => siteOf(row.site)?.op ?? "")];

export const ORDER = "still live first, oldest first";
export const keyOf = (row: Row) => `${row.address} ${row.born_ns}`;
/** In the map the block stands among its neighbours. */
export const show = (row: Row) =>
  go({ view: "blocks", block: String(row.block), rows: "", zoom: "" });

export interface BlocksProps {
  payload: SitePayload;
  params: Params;
}

/** All rows that can be had: filter, sort, take away. */
export function Whole({ rows, note }: { rows: readonly Row[]; note: string }) {
  return (
    <PlacedTable
      title="Blocks"
      note={note}
      name="blocks"
      columns={COLUMNS}
      hidden={HIDDEN}
      rows={rows}
      keyOf={keyOf}
      height={28 * 4}
      first=""
      second
      onPick={show}
      example="age>2 size>1MiB"
    />
  );
}

const loadPages = () => import("./later.ts").then((module) => module.BlockPages);

export function Blocks({ payload, params }: BlocksProps) {
  const { total, columns } = payload.blocks;
  const rows = useMemo(() => rowsOf(columns), [columns]);
  return (
    <section aria-label="Blocks of this site">
      {total > rows.length && <Later load={loadPages} payload={payload} params={params} />}
      {total > 0 && total <= rows.length && <Whole rows={rows} note={ORDER} />}
      {total === 0 && <p class="muted">No block of this site was born in the window.</p>}
    </section>
  );
}
