/** Blocks: address by time, the chosen block's details, and the addresses at one moment. */
import { useComputed, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { BlockMapPayload, BlockPayload } from "../api/blocks.ts";
import { address, NOT_IN_FILE } from "../api/client.ts";
import type { MemoryReport } from "../api/wire.ts";
import { BlockMap, type Look } from "../charts/BlockMap.tsx";
import { shadeColour } from "../charts/paint.ts";
import type { Window } from "../charts/rects.ts";
import { addressAt } from "../lib/compact.ts";
import { bytes, counted, duration, exactBytes, grouped, UNKNOWN } from "../lib/numbers.ts";
import { formatRange, parseRange } from "../lib/range.ts";
import { shapeText } from "../lib/text.ts";
import { subject } from "../state/data.ts";
import { at, go } from "../state/place.ts";
import { useResource } from "../state/resource.ts";
import { chooseSite, chosenSites, nameOf } from "../state/sites.ts";
import { look as lookAt, moment, sight, bounds as window_ } from "../state/timeline.ts";
import { Facts } from "../ui/Facts.tsx";
import { Figure } from "../ui/Figure.tsx";
import { Loading, Trouble } from "../ui/Trouble.tsx";
import { Addresses } from "./Addresses.tsx";
import { BlockLegend } from "./BlockLegend.tsx";
import {
  bornText,
  COLOURINGS,
  type Colouring,
  colouring,
  FATES,
  legendOf,
  lookKey,
  shadeOf,
  strengthOf,
  whatIs,
} from "./blockColours.ts";

const HEIGHT = 380;

/** One line on the rectangle under the pointer. */
function describe(columns: BlockMapPayload["columns"], i: number): string {
  const parts = [
    whatIs(columns, i),
    bytes(columns.size_bytes[i]),
    bornText(columns, i),
    FATES[columns.end[i] ?? ""] ?? "",
  ];
  return parts.filter(Boolean).join(" · ");
}

function noteOf(payload: BlockMapPayload, coarse: boolean): string {
  const blocks = counted(payload.blocks, "block");
  if (!payload.merged) return `${blocks}, each drawn`;
  const finer = coarse ? "; this report file holds no finer picture" : "";
  return `${blocks}, drawn as ${grouped(payload.rects)}: what lies under a pixel is merged${finer}`;
}

function Controls({ onAll }: { onAll: () => void }) {
  const zoomed = at("zoom") !== "" || at("rows") !== "";
  return (
    <div class="bar toolbar">
      <span class="label">Colour by</span>
      {(Object.keys(COLOURINGS) as Colouring[]).map((one) => (
        <button
          key={one}
          type="button"
          class="small-button"
          aria-pressed={colouring() === one}
          onClick={() => go({ color: one === "site" ? "" : one }, true)}
        >
          {COLOURINGS[one]}
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
            {chosenSites.value.has(block.site_index) ? "Let its site go" : "Light up its site"}
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
  const lit = useComputed(() => chosenSites.value);
  const key = lookKey();
  const legend = useMemo(
    () => whole && legendOf(whole.columns, whole.region_names ?? []),
    [whole, key],
  );
  // Kept, so that a hover above draws nothing below.
  const addresses = useMemo(
    () => whole && <Addresses memory={memory} whole={whole.columns} />,
    [memory, whole],
  );
  if (all.error.value) return <Trouble error={all.error.value} onRetry={all.retry} />;
  if (!payload) return <Loading what="Reading the blocks…" />;
  const { columns } = payload;
  const shade = shadeOf(columns, whole?.columns ?? columns);
  const look: Look = {
    key,
    colour: (palette, i) => shadeColour(palette, shade(i)),
    strength: strengthOf(columns),
  };
  const setView = (next: Window, done: boolean) => {
    const tall = next.high - next.low >= (bounds.high - bounds.low) * 0.999;
    lookAt(next, !done);
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
        {legend && <BlockLegend legend={legend} />}
        <Figure
          title="Address by time"
          note={noteOf(payload, near.error.value?.code === NOT_IN_FILE)}
          readout={readout}
          header={["Site", "Bytes", "Blocks", "Born in step", "Fate"]}
          rows={() =>
            columns.site.map((_, i) => [
              whatIs(columns, i),
              grouped(columns.size_bytes[i]),
              grouped(columns.count[i]),
              grouped(columns.born_step[i]),
              FATES[columns.end[i] ?? ""] ?? "",
            ])
          }
        >
          <div class="plane">
            <BlockMap
              rects={columns}
              view={view}
              bounds={bounds}
              look={look}
              visits={(i) => lit.value.size === 0 || lit.value.has(columns.site[i] ?? -1)}
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
      {addresses}
    </>
  );
}
