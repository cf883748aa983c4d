/** Everything live at one moment: as a treemap, and as a table with ages, by site. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { address } from "../api/client.ts";
import type { LivePayload, MemoryReport } from "../api/wire.ts";
import { type Tile, Treemap } from "../charts/Treemap.tsx";
import { rowsOf } from "../lib/columns.ts";
import { bytes, counted, duration, grouped, percent } from "../lib/numbers.ts";
import { subject } from "../state/data.ts";
import { useResource } from "../state/resource.ts";
import { chooseSite, chosenSites, nameOf, shades, siteOf } from "../state/sites.ts";
import { moment } from "../state/timeline.ts";
import { counts, names, sizes, words } from "../ui/cells.tsx";
import type { Column } from "../ui/columns.ts";
import { Figure } from "../ui/Figure.tsx";
import { Loading, Trouble } from "../ui/Trouble.tsx";
import { BackToPeak } from "./BackToPeak.tsx";
import { PlacedTable } from "./PlacedTable.tsx";

type Live = ReturnType<typeof rowsOf<LivePayload["columns"]>>[number];
type Row = Omit<Live, "blocks"> & { blocks: number | null };

/** What was there before the window is one honest row: its bytes, and nothing else is known. */
const BEFORE = -1;

function withBaseline(live: LivePayload): Row[] {
  const { bytes: before } = live.baseline;
  const unknown = { blocks: null, requested_bytes: null, oldest_step: null, age_steps: null };
  const baseline = before ? [{ site: BEFORE, bytes: before, ...unknown }] : [];
  return [...rowsOf(live.columns), ...baseline];
}

const COLUMNS: readonly Column<Row>[] = [
  names("site", "Site", (row) => nameOf(row.site)),
  sizes("bytes", "Live", (row) => row.bytes),
  counts("blocks", "Blocks", (row) => row.blocks),
  sizes("requested", "Requested", (row) => row.requested_bytes, { spare: 1 }),
  counts("oldest", "Oldest from step", (row) => row.oldest_step, { spare: 2, width: 104 }),
  counts("age", "Age, steps", (row) => row.age_steps, {
    hint: "Steps from the birth of the oldest block to this moment",
  }),
  words("region", "Region", (row) => siteOf(row.site)?.region ?? "", { spare: 3 }),
];

/** One line of what stood at the moment besides the sites. */
function standing(live: LivePayload): string {
  const parts = [
    `${bytes(live.bytes)} in use`,
    counted(live.blocks, "block"),
    `fragmentation ${percent(live.fragmentation)}`,
    `largest free block ${bytes(live.largest_free.allocator_bytes)} if preallocated`,
  ];
  return parts.join(" · ");
}

function titleOf(live: LivePayload, peak: boolean): string {
  const step = live.step === null ? "between steps" : `in step ${live.step}`;
  return `Live at ${peak ? "the peak, " : ""}${duration(live.at_ns)}, ${step}`;
}

export function Moment({ memory }: { memory: MemoryReport }) {
  const time = moment.value ?? memory.totals.peak_ns;
  const where = subject.value;
  const answer = useResource<LivePayload>(
    where && time !== null ? address("live", { ...where, at_ns: time }) : null,
    JSON.stringify(where),
  );
  const readout = useSignal("");
  const live = answer.data.value;
  const rows = useMemo(() => (live ? withBaseline(live) : []), [live]);
  const shown = useMemo(() => [...rows].sort((a, b) => b.bytes - a.bytes), [rows]);
  const pick = (row: Row | undefined) => row && row.site !== BEFORE && chooseSite(row.site);
  const tiles: Tile[] = shown.map((row) => ({
    name: nameOf(row.site),
    size: row.bytes,
    shade: shades.value.get(row.site),
    chosen: chosenSites.value.has(row.site),
  }));
  if (answer.error.value) {
    return (
      <>
        <Trouble error={answer.error.value} onRetry={answer.retry} />
        <div class="section">
          <BackToPeak />
        </div>
      </>
    );
  }
  if (!live) return <Loading what="Reading what was live…" />;
  return (
    <section class="section" aria-label="Live at one moment">
      <Figure
        title={titleOf(live, moment.value === null)}
        note={standing(live)}
        readout={readout}
        header={["Site", "Bytes", "Blocks"]}
        rows={() => shown.map((row) => [nameOf(row.site), grouped(row.bytes), grouped(row.blocks)])}
        tools={<BackToPeak />}
      >
        <Treemap
          tiles={tiles}
          label={`${counted(tiles.length, "site")} by live bytes; the largest is ${tiles[0]?.name ?? "none"}.`}
          height={120}
          onRead={(text) => {
            readout.value = text;
          }}
          onPick={(index) => pick(shown[index])}
        />
      </Figure>
      <div class="below">
        <PlacedTable
          title="Sites live then"
          name="live"
          columns={COLUMNS}
          rows={rows}
          keyOf={(row) => row.site}
          height={28 * 8}
          first="-bytes"
          isSelected={(row) => chosenSites.value.has(row.site)}
          onPick={pick}
          example="age>2 bytes>1MiB"
        />
      </div>
    </section>
  );
}
