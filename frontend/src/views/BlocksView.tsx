/** Blocks: address by time, the chosen block's details, and the largest holes at a moment. */
import { useComputed, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { address } from "../api/client.ts";
import type { BlockMapPayload, BlockPayload, LivePayload, MemoryReport } from "../api/wire.ts";
import { BlockMap, type Look } from "../charts/BlockMap.tsx";
import { type Shade, shadeColour } from "../charts/paint.ts";
import type { Window } from "../charts/rects.ts";
import { rowsOf } from "../lib/columns.ts";
import { addressAt } from "../lib/compact.ts";
import { bytes, counted, duration, exactBytes, grouped, UNKNOWN } from "../lib/numbers.ts";
import { formatRange, parseRange } from "../lib/range.ts";
import { shapeText } from "../lib/text.ts";
import { subject } from "../state/data.ts";
import { at, go } from "../state/place.ts";
import { useResource } from "../state/resource.ts";
import { chooseSite, chosenSite, nameOf, shades } from "../state/sites.ts";
import { look, moment, sight, bounds as window_ } from "../state/timeline.ts";
import { names, sizes, words } from "../ui/cells.tsx";
import type { Column } from "../ui/columns.ts";
import { Facts } from "../ui/Facts.tsx";
import { Figure } from "../ui/Figure.tsx";
import { Loading, Trouble } from "../ui/Trouble.tsx";
import { VirtualTable } from "../ui/VirtualTable.tsx";
import { Fit } from "./Fit.tsx";

const HEIGHT = 380;
/** What was freed is pale: survivors stand out. */
const FREED = 0.28;
const COLOURINGS = ["site", "age", "step", "end"] as const;
type Colouring = (typeof COLOURINGS)[number];

function colouring(): Colouring {
  return COLOURINGS.find((one) => one === at("color")) ?? "site";
}

const ENDS: Record<string, Shade> = {
  survived: "alarm",
  freed: undefined,
  lost: 1,
  "pre-window": 0,
  mixed: undefined,
};

/** The shade of each rectangle under a colouring. */
function shadesOf(columns: BlockMapPayload["columns"], by: Colouring): (i: number) => Shade {
  if (by === "site") return (i) => shades.value.get(columns.site[i] ?? -1);
  if (by === "end") return (i) => ENDS[columns.end[i] ?? "mixed"];
  const values = by === "age" ? columns.age_steps : columns.born_step;
  if (by === "step") return (i) => (values[i] ?? 0) % 7;
  return (i) => Math.min(6, Math.floor(Math.log2((values[i] ?? 0) + 1)));
}

function lookOf(payload: BlockMapPayload): Look {
  const by = colouring();
  const shade = shadesOf(payload.columns, by);
  const { end, site } = payload.columns;
  const chosen = chosenSite.value;
  return {
    key: `${by} ${shades.value.size} ${chosen}`,
    colour: (palette, i) => shadeColour(palette, shade(i)),
    strength: (i) => {
      if (chosen !== null) return site[i] === chosen ? 0.95 : FREED / 2;
      if (end[i] !== "survived") return FREED;
      return shades.value.get(site[i] ?? -1) === "alarm" ? 0.8 : 0.6;
    },
  };
}

/** One line on the rectangle under the pointer. */
function describe(columns: BlockMapPayload["columns"], i: number): string {
  const count = columns.count[i] ?? 1;
  const what = count > 1 ? `${grouped(count)} blocks of ` : "";
  const born = columns.born_step[i];
  const fate = {
    survived: "still live",
    freed: "freed",
    lost: "free not seen",
    "pre-window": "from before",
  };
  return [
    `${what}${nameOf(columns.site[i] ?? -1)}`,
    bytes(columns.size_bytes[i]),
    born === null || born === undefined ? "" : `born in step ${born}`,
    fate[columns.end[i] as keyof typeof fate] ?? "",
  ]
    .filter(Boolean)
    .join(" · ");
}

const note = (payload: BlockMapPayload) =>
  payload.merged
    ? `${counted(payload.blocks, "block")}, drawn as ${grouped(payload.rects)}: what lies under a pixel is merged`
    : `${counted(payload.blocks, "block")}, each drawn`;

function Controls({ onAll }: { onAll: () => void }) {
  const zoomed = at("zoom") !== "" || at("rows") !== "";
  return (
    <div class="bar toolbar">
      <span class="label">Colour by</span>
      {COLOURINGS.map((one) => (
        <button
          key={one}
          type="button"
          class="small-button"
          aria-pressed={colouring() === one}
          onClick={() => go({ color: one === "site" ? "" : one }, true)}
        >
          {one === "step" ? "birth step" : one === "end" ? "fate" : one}
        </button>
      ))}
      <span class="label push">
        Drag to move · wheel zooms time, with Shift addresses, with Ctrl both
      </span>
      <button type="button" class="small-button" disabled={!zoomed} onClick={onAll}>
        Show all
      </button>
    </div>
  );
}

function Details({ index }: { index: number }) {
  const where = subject.value;
  const answer = useResource<BlockPayload>(where && address("block", { ...where, block: index }));
  const block = answer.data.value;
  if (answer.error.value) return <p class="muted">{answer.error.value.message}</p>;
  if (!block) return <Loading what="Reading the block…" />;
  const rows: [string, string][] = [
    ["Address", block.address],
    ["Site", nameOf(block.site_index)],
    ["Shape", shapeText(block) || UNKNOWN],
    ["Requested", exactBytes(block.requested_bytes)],
    ["Allocated", exactBytes(block.allocation_bytes)],
    ["Born", `${duration(block.born_ns)}, step ${block.born_step ?? UNKNOWN}`],
    ["Freed", block.end === "survived" ? "no" : duration(block.freed_ns)],
    ["Age", block.age_steps === null ? UNKNOWN : counted(block.age_steps, "step")],
    ["Thread", block.thread || UNKNOWN],
  ];
  return (
    <section class="below" aria-label="The chosen block">
      <div class="figure-head">
        <h2>The chosen block</h2>
        <span class="push bar">
          <button type="button" class="small-button" onClick={() => chooseSite(block.site_index)}>
            {chosenSite.value === block.site_index ? "Let its site go" : "Light up its site"}
          </button>
          <button
            type="button"
            class="small-button"
            onClick={() => go({ view: "", site: String(block.site_index), finding: "" })}
          >
            Evidence of its site
          </button>
        </span>
      </div>
      <Facts facts={rows} />
    </section>
  );
}

/** A hole at an edge has no neighbour of this window on that side. */
const neighbour = (site: number) => (site < 0 ? "none of this window" : nameOf(site));

type Hole = ReturnType<typeof rowsOf<LivePayload["holes"]["columns"]>>[number];
const HOLES: readonly Column<Hole>[] = [
  words("address", "Address", (row) => row.address, { width: 130 }),
  sizes("bytes", "Size", (row) => row.bytes, { width: 110 }),
  names("below", "Block below is of", (row) => neighbour(row.below_site), { width: 200, spare: 1 }),
  names("above", "Block above is of", (row) => neighbour(row.above_site), { width: 200, spare: 2 }),
];

function Holes({ memory }: { memory: MemoryReport }) {
  const where = subject.value;
  const time = moment.value ?? memory.totals.peak_ns;
  const answer = useResource<LivePayload>(
    where && time !== null ? address("live", { ...where, at_ns: time }) : null,
    JSON.stringify(where),
  );
  const live = answer.data.value;
  const rows = useMemo(() => (live ? rowsOf(live.holes.columns) : []), [live]);
  if (!live) return null;
  return (
    <section class="section" aria-label="Holes">
      <div class="figure-head">
        <h2>Largest holes at {duration(live.at_ns)}</h2>
        <span class="label cut">
          {grouped(live.holes.total)} between blocks that the window shows · largest free block by
          the allocator's own figure {bytes(live.largest_free.allocator_bytes)}
        </span>
      </div>
      <VirtualTable
        label="Largest holes"
        columns={HOLES}
        count={rows.length}
        rowAt={(index) => rows[index]}
        keyOf={(row) => row.address}
        height={28 * 6}
        empty="No hole between blocks at that moment."
      />
      <div class="below">
        <Fit time={live.at_ns} />
      </div>
    </section>
  );
}

/** The window in the address: time is the zoom that all charts share, offsets are our own. */
function viewOf(bounds: Window): Window {
  const rows = parseRange(at("rows"));
  return { ...sight.value, low: rows?.start ?? bounds.low, high: rows?.end ?? bounds.high };
}

export function BlocksView({ memory }: { memory: MemoryReport }) {
  const where = subject.value;
  const readout = useSignal("");
  const active = useSignal<number | null>(null);
  const all = useResource<BlockMapPayload>(
    where && address("blockmap", { ...where, width: 1200, height: HEIGHT }),
    JSON.stringify(where),
  );
  const whole = all.data.value;
  const bounds: Window = { ...window_.value, low: whole?.low ?? 0, high: whole?.high ?? 1 };
  const view = viewOf(bounds);
  const zoomed = at("zoom") !== "" || at("rows") !== "";
  const near = useResource<BlockMapPayload>(
    where && whole?.merged && zoomed
      ? address("blockmap", {
          ...where,
          start_ns: Math.round(view.start),
          end_ns: Math.round(view.end),
          low: Math.floor(view.low),
          high: Math.ceil(view.high),
          width: 1200,
          height: HEIGHT,
        })
      : null,
    JSON.stringify(where),
  );
  const payload = near.data.value ?? whole;
  const site = useComputed(() => chosenSite.value);
  if (all.error.value) return <Trouble error={all.error.value} onRetry={all.retry} />;
  if (!payload) return <Loading what="Reading the blocks…" />;
  const { columns } = payload;
  const setView = (next: Window, done: boolean) => {
    const tall = next.high - next.low >= (bounds.high - bounds.low) * 0.999;
    look(next, !done);
    go({ rows: tall ? "" : formatRange({ start: next.low, end: next.high }) }, true);
  };
  const hover = (index: number | null) => {
    active.value = index;
    readout.value = index === null ? "" : describe(columns, index);
  };
  const pick = (index: number) => {
    const block = columns.block[index];
    if (block === null || block === undefined) chooseSite(columns.site[index] ?? -1);
    else go({ block: String(block) }, true);
  };
  const chosen = at("block") === "" ? -1 : columns.block.indexOf(Number(at("block")));
  return (
    <>
      <section class="section" aria-label="Blocks by address and time">
        <Controls onAll={() => setView(bounds, true)} />
        <Figure
          title="Address by time"
          note={note(payload)}
          readout={readout}
          header={["Site", "Bytes", "Blocks", "Born in step", "Fate"]}
          rows={() =>
            columns.site.map((one, i) => [
              nameOf(one),
              grouped(columns.size_bytes[i]),
              grouped(columns.count[i]),
              grouped(columns.born_step[i]),
              columns.end[i] ?? "",
            ])
          }
        >
          <div class="plane">
            <BlockMap
              rects={columns}
              view={view}
              bounds={bounds}
              look={lookOf(payload)}
              visits={(i) => site.value === null || columns.site[i] === site.value}
              active={active.value ?? (chosen >= 0 ? chosen : null)}
              moment={moment.value}
              label={`${counted(payload.blocks, "block")} by address and time.`}
              height={HEIGHT}
              onView={setView}
              onHover={hover}
              onPick={pick}
            />
            <div class="plane-axis label">
              <span>{duration(view.start)}</span>
              <span>
                {addressAt(payload.regions, view.low) ?? ""} to{" "}
                {addressAt(payload.regions, view.high - 1) ?? ""}, upwards
              </span>
              <span>{duration(view.end)}</span>
            </div>
          </div>
        </Figure>
        {at("block") !== "" && <Details index={Number(at("block"))} />}
      </section>
      <Holes memory={memory} />
    </>
  );
}
