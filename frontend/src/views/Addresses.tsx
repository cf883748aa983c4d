/** The address space at one moment, drawn; its largest holes; and what would fit into them. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { AddressesPayload } from "../api/blocks.ts";
import { address } from "../api/client.ts";
import type { LivePayload, MemoryReport } from "../api/wire.ts";
import { AddressRows, type Hole } from "../charts/AddressRows.tsx";
import type { Look } from "../charts/BlockMap.tsx";
import { shadeColour } from "../charts/paint.ts";
import { rowsOf } from "../lib/columns.ts";
import { addressAt, offsetOf } from "../lib/compact.ts";
import { bytes, counted, duration, grouped } from "../lib/numbers.ts";
import { subject } from "../state/data.ts";
import { go } from "../state/place.ts";
import { useResource } from "../state/resource.ts";
import { chooseSite, nameOf } from "../state/sites.ts";
import { moment } from "../state/timeline.ts";
import { counts, names, sizes, words } from "../ui/cells.tsx";
import type { Column } from "../ui/columns.ts";
import { Figure } from "../ui/Figure.tsx";
import { Loading, Trouble } from "../ui/Trouble.tsx";
import { VirtualTable } from "../ui/VirtualTable.tsx";
import { BackToPeak } from "./BackToPeak.tsx";
import {
  bornText,
  type Coloured,
  FATES,
  lookKey,
  shadeOf,
  strengthOf,
  whatIs,
} from "./blockColours.ts";
import { Fit } from "./Fit.tsx";

/** A hole at an edge has no neighbour of this window on that side. */
const neighbour = (site: number) => (site < 0 ? "none of this window" : nameOf(site));

type Row = ReturnType<typeof rowsOf<LivePayload["holes"]["columns"]>>[number] & { rank: number };
const HOLES: readonly Column<Row>[] = [
  words("address", "Address", (row) => row.address, { width: 130 }),
  counts("rank", "Number", (row) => row.rank, {
    width: 60,
    spare: 3,
    hint: "Its number in the picture above",
  }),
  sizes("bytes", "Size", (row) => row.bytes, { width: 110 }),
  names("below", "Block below is of", (row) => neighbour(row.below_site), { width: 200, spare: 1 }),
  names("above", "Block above is of", (row) => neighbour(row.above_site), { width: 200, spare: 2 }),
];

/** In use then, freed later: paler than what stays, and yet far from a hole. */
const FREED_LATER = 0.45;

const USES = {
  free: "free",
  unknown: "not known: no block of the window ever lay here",
  in_use: "in use",
  mixed: "in use and free",
};

/** One line on the piece under the pointer. */
function describe(payload: AddressesPayload, i: number): string {
  const { columns } = payload;
  const use = columns.use[i] ?? "unknown";
  const at = addressAt(payload.regions, columns.offset[i] ?? 0) ?? "";
  const size = bytes(columns.size_bytes[i]);
  if (use === "free" || use === "unknown") return `${size} ${USES[use]} · ${at}`;
  const part = use === "mixed" ? `${bytes(columns.used_bytes[i])} of ${size} in use` : size;
  const parts = [
    whatIs(columns, i),
    part,
    bornText(columns, i),
    FATES[columns.end[i] ?? ""] ? `at the end ${FATES[columns.end[i] ?? ""]}` : "",
    at,
  ];
  return parts.filter(Boolean).join(" · ");
}

function noteOf(payload: AddressesPayload): string {
  const drawn = payload.columns.offset.length;
  const how = payload.merged
    ? `${grouped(payload.pieces)} pieces, drawn as ${grouped(drawn)}: what lies under a pixel is merged`
    : `${counted(drawn, "piece")}, each drawn`;
  const used = `${bytes(payload.used_bytes)} in use over ${bytes(payload.length_bytes)} of addresses`;
  return `${counted(payload.blocks, "block")}, ${used} · ${how}`;
}

function Picture({ payload, holes, whole }: PictureProps) {
  const readout = useSignal("");
  const active = useSignal<number | null>(null);
  const { columns } = payload;
  const shade = shadeOf(columns, whole);
  const look: Look = {
    key: lookKey(),
    colour: (palette, i) => shadeColour(palette, shade(i)),
    strength: strengthOf(columns, FREED_LATER),
  };
  const hover = (index: number | null) => {
    active.value = index;
    readout.value = index === null ? "" : describe(payload, index);
  };
  const pick = (index: number) => {
    const block = columns.block[index];
    if (typeof block === "number") go({ block: String(block) }, true);
    else chooseSite(columns.site[index] ?? -1);
  };
  const peak = moment.value === null ? "the peak, " : "";
  return (
    <Figure
      title={`Addresses at ${peak}${duration(payload.at_ns)}`}
      note={noteOf(payload)}
      readout={readout}
      header={["Address", "Use", "Bytes", "In use, bytes", "Blocks", "What"]}
      rows={() =>
        columns.offset.map((offset, i) => [
          addressAt(payload.regions, offset) ?? "",
          USES[columns.use[i] ?? "unknown"],
          grouped(columns.size_bytes[i]),
          grouped(columns.used_bytes[i]),
          grouped(columns.count[i]),
          columns.count[i] ? whatIs(columns, i) : "",
        ])
      }
      tools={
        <>
          <BackToPeak />
          <button type="button" class="link-button" onClick={() => go({ view: "timeline" })}>
            another moment
          </button>
        </>
      }
    >
      <AddressRows
        pieces={columns}
        length={payload.length_bytes}
        look={look}
        holes={holes}
        active={active.value}
        label={`The address space at ${duration(payload.at_ns)}: ${counted(payload.blocks, "block")}, ${counted(holes.length, "hole")} marked.`}
        onHover={hover}
        onPick={pick}
      />
    </Figure>
  );
}

interface PictureProps {
  payload: AddressesPayload;
  holes: readonly Hole[];
  whole: Coloured;
}

function HoleTable({ live, rows }: { live: LivePayload; rows: readonly Row[] }) {
  const free = live.largest_free.allocator_bytes;
  const allocator =
    free === null ? "" : `largest free block by the allocator's own figure ${bytes(free)}`;
  if (rows.length === 0) {
    return (
      <p class="muted">
        No hole lies between the blocks of this window at that moment
        {allocator && `; ${allocator}`}.
      </p>
    );
  }
  return (
    <>
      <div class="figure-head">
        <h2>Largest holes then</h2>
        <span class="label cut">
          {grouped(live.holes.total)} between blocks that the window shows
          {allocator && ` · ${allocator}`}
        </span>
      </div>
      <VirtualTable
        label="Largest holes"
        columns={HOLES}
        count={rows.length}
        rowAt={(index) => rows[index]}
        keyOf={(row) => row.address}
        height={28 * 6}
        empty=""
      />
    </>
  );
}

/** `whole` is the whole block map: what is coloured by a ramp has the same ends in both. */
export function Addresses({ memory, whole }: { memory: MemoryReport; whole: Coloured }) {
  const where = subject.value;
  const time = moment.value ?? memory.totals.peak_ns;
  const asked = where && time !== null ? { ...where, at_ns: time } : null;
  const key = JSON.stringify(where);
  const map = useResource<AddressesPayload>(asked && address("addresses", asked), key);
  const then = useResource<LivePayload>(asked && address("live", asked), key);
  const [payload, live] = [map.data.value, then.data.value];
  const rows = useMemo(
    () => (live ? rowsOf(live.holes.columns).map((row, i) => ({ ...row, rank: i + 1 })) : []),
    [live],
  );
  const holes = useMemo(
    () =>
      rows.flatMap(({ address: at, bytes: size }) => {
        const offset = payload && offsetOf(payload.regions, at);
        return typeof offset === "number" ? [{ offset, size }] : [];
      }),
    [rows, payload],
  );
  const error = map.error.value ?? then.error.value;
  if (error) {
    return (
      <>
        <Trouble error={error} onRetry={map.error.value ? map.retry : then.retry} />
        <div class="section">
          <BackToPeak />
        </div>
      </>
    );
  }
  if (!payload || !live) return time === null ? null : <Loading what="Reading the addresses…" />;
  return (
    <section class="section" aria-label="Addresses at one moment">
      {payload.columns.offset.length > 0 && (
        <Picture payload={payload} holes={holes} whole={whole} />
      )}
      <div class="below">
        <HoleTable live={live} rows={rows} />
      </div>
      <div class="below">
        <Fit time={live.at_ns} />
      </div>
    </section>
  );
}
