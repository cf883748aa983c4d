/** Everything live at one moment: as a treemap, and as a table with ages, by site. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { address } from "../api/client.ts";
import type { LivePayload, MemoryReport } from "../api/wire.ts";
import { type Tile, Treemap } from "../charts/Treemap.tsx";
import { rowsOf } from "../lib/columns.ts";
import { bytes, counted, duration, grouped, percent } from "../lib/numbers.ts";
import { formatSort, parseSort } from "../lib/sort.ts";
import { subject } from "../state/data.ts";
import { at, go } from "../state/place.ts";
import { useResource } from "../state/resource.ts";
import { chooseSite, chosenSite, nameOf, shades, siteOf } from "../state/sites.ts";
import { moment } from "../state/timeline.ts";
import type { Column } from "../ui/columns.ts";
import { Figure } from "../ui/Figure.tsx";
import { FilteredTable } from "../ui/FilteredTable.tsx";
import { Name } from "../ui/Name.tsx";
import { Loading, Trouble } from "../ui/Trouble.tsx";

type Row = ReturnType<typeof rowsOf<LivePayload["columns"]>>[number];

const COLUMNS: readonly Column<Row>[] = [
  {
    key: "site",
    title: "Site",
    width: 220,
    value: (row) => nameOf(row.site),
    show: (row) => <Name text={nameOf(row.site)} most={72} />,
  },
  {
    key: "bytes",
    title: "Live",
    width: 88,
    numeric: true,
    value: (row) => row.bytes,
    show: (row) => bytes(row.bytes),
  },
  {
    key: "blocks",
    title: "Blocks",
    width: 72,
    numeric: true,
    value: (row) => row.blocks,
    show: (row) => grouped(row.blocks),
  },
  {
    key: "requested",
    title: "Requested",
    width: 88,
    numeric: true,
    spare: 1,
    value: (row) => row.requested_bytes,
    show: (row) => bytes(row.requested_bytes),
  },
  {
    key: "oldest",
    title: "Oldest from step",
    width: 104,
    numeric: true,
    spare: 2,
    value: (row) => row.oldest_step,
    show: (row) => grouped(row.oldest_step),
  },
  {
    key: "age",
    title: "Age, steps",
    width: 84,
    numeric: true,
    hint: "Steps from the birth of the oldest block to this moment",
    value: (row) => row.age_steps,
    show: (row) => grouped(row.age_steps),
  },
  {
    key: "region",
    title: "Region",
    width: 84,
    spare: 3,
    value: (row) => siteOf(row.site)?.region ?? "",
    show: (row) => siteOf(row.site)?.region ?? "",
  },
];

/** One line of what stood at the moment besides the sites. */
function standing(live: LivePayload): string {
  const parts = [
    `${bytes(live.bytes)} in use`,
    counted(live.blocks, "block"),
    `${bytes(live.baseline.bytes)} of it from before the window`,
    `fragmentation ${percent(live.fragmentation)}`,
    `largest free block ${bytes(live.largest_free.allocator_bytes)}`,
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
  const rows = useMemo(() => (live ? rowsOf(live.columns) : []), [live]);
  const shown = useMemo(() => [...rows].sort((a, b) => b.bytes - a.bytes), [rows]);
  const tiles: Tile[] = shown.map((row) => ({
    name: nameOf(row.site),
    size: row.bytes,
    shade: shades.value.get(row.site),
    chosen: row.site === chosenSite.value,
  }));
  if (answer.error.value) return <Trouble error={answer.error.value} onRetry={answer.retry} />;
  if (!live) return <Loading what="Reading what was live…" />;
  return (
    <section class="section" aria-label="Live at one moment">
      <Figure
        title={titleOf(live, moment.value === null)}
        note={standing(live)}
        readout={readout.value}
        header={["Site", "Bytes", "Blocks"]}
        rows={() => shown.map((row) => [nameOf(row.site), grouped(row.bytes), grouped(row.blocks)])}
        tools={
          moment.value !== null && (
            <button type="button" class="small-button" onClick={() => go({ at: "" })}>
              Back to the peak
            </button>
          )
        }
      >
        <Treemap
          tiles={tiles}
          label={`${counted(tiles.length, "site")} by live bytes; the largest is ${tiles[0]?.name ?? "none"}.`}
          height={120}
          onRead={(text) => {
            readout.value = text;
          }}
          onPick={(index) => chooseSite(shown[index]?.site ?? -1)}
        />
      </Figure>
      <div class="below">
        <FilteredTable
          title="Sites live then"
          name="live"
          columns={COLUMNS}
          rows={rows}
          keyOf={(row) => row.site}
          height={28 * 8}
          filter={at("filter")}
          onFilter={(filter) => go({ filter }, true)}
          sort={parseSort(at("sort")) ?? { key: "bytes", descending: true }}
          onSort={(sort) => go({ sort: formatSort(sort) }, true)}
          isSelected={(row) => row.site === chosenSite.value}
          onPick={(row) => chooseSite(row.site)}
          example="age>2 bytes>1MiB"
        />
      </div>
    </section>
  );
}
