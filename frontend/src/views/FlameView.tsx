/** Flame graph and treemap of what survives, what is live at a moment, or bytes times lifetime. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { address } from "../api/client.ts";
import type { LivePayload, MemoryReport } from "../api/wire.ts";
import { Flame } from "../charts/Flame.tsx";
import { Treemap } from "../charts/Treemap.tsx";
import { bytes, duration, grouped, significant } from "../lib/numbers.ts";
import { type Grouping, sitePath } from "../lib/paths.ts";
import { siteName } from "../lib/text.ts";
import { buildTree, depthOf, findPath, type Leaf, type Node, pathOf } from "../lib/tree.ts";
import { sites, subject } from "../state/data.ts";
import { at, go } from "../state/place.ts";
import { useResource } from "../state/resource.ts";
import { chooseSite, chosenSite, type SiteRow, shades, siteRows } from "../state/sites.ts";
import { moment } from "../state/timeline.ts";
import { Figure } from "../ui/Figure.tsx";
import { Loading, Trouble } from "../ui/Trouble.tsx";

const WEIGHTS = {
  survivors: "still live at the end",
  live: "live at the moment",
  time: "bytes × lifetime",
  churn: "all that was allocated",
} as const;
type Weight = keyof typeof WEIGHTS;

const byteSeconds = (value: number) => `${significant(value / 2 ** 20)} MiB·s`;

function weightOf(row: SiteRow, weight: Weight, live: ReadonlyMap<number, number>): number {
  if (weight === "survivors") return row.survivor_bytes;
  if (weight === "live") return live.get(row.index) ?? 0;
  if (weight === "time") return row.byte_seconds ?? 0;
  return row.allocated_bytes;
}

function Choice<T extends string>(props: {
  label: string;
  options: Readonly<Record<T, string>>;
  value: T;
  onPick: (value: T) => void;
}) {
  return (
    <>
      <span class="label">{props.label}</span>
      {(Object.keys(props.options) as T[]).map((key) => (
        <button
          key={key}
          type="button"
          class="small-button"
          aria-pressed={props.value === key}
          onClick={() => props.onPick(key)}
        >
          {props.options[key]}
        </button>
      ))}
    </>
  );
}

/** The colour of a frame: its largest site's below. */
function shadeBelow(node: Node) {
  let here = node;
  while (here.site === null && here.children[0]) here = here.children[0];
  return here.site === null ? undefined : shades.value.get(here.site);
}

export function FlameView({ memory }: { memory: MemoryReport }) {
  const readout = useSignal("");
  const weight = (at("weight") in WEIGHTS ? at("weight") : "survivors") as Weight;
  const by: Grouping = at("group") === "op" ? "op" : "stack";
  const time = moment.value ?? memory.totals.peak_ns;
  const where = subject.value;
  const answer = useResource<LivePayload>(
    weight === "live" && where && time !== null ? address("live", { ...where, at_ns: time }) : null,
    JSON.stringify(where),
  );
  const live = useMemo(
    () =>
      new Map(
        answer.data.value?.columns.site.map((site, i) => [
          site,
          answer.data.value?.columns.bytes[i] ?? 0,
        ]),
      ),
    [answer.data.value],
  );
  const rows = siteRows.value;
  const leaves = useMemo<Leaf[]>(
    () =>
      rows.map((row) => ({
        path: sitePath(row, by),
        value: weightOf(row, weight, live),
        site: row.index,
      })),
    [rows, by, weight, live],
  );
  const root = useMemo(() => buildTree("all", leaves), [leaves]);
  const tiles = useMemo(
    () => [...leaves].filter((leaf) => leaf.value > 0).sort((a, b) => b.value - a.value),
    [leaves],
  );
  if (sites.error.value) return <Trouble error={sites.error.value} onRetry={sites.retry} />;
  if (answer.error.value) return <Trouble error={answer.error.value} onRetry={answer.retry} />;
  if (!sites.data.value || answer.pending.value) return <Loading what="Reading the sites…" />;
  const focus = findPath(root, parsePath(at("frame"))) ?? root;
  const search = at("search").trim().toLowerCase();
  const format = weight === "time" ? byteSeconds : bytes;
  const title = weight === "live" ? `Live at ${duration(time)}` : capital(WEIGHTS[weight]);
  const names = new Map(rows.map((row) => [row.index, siteName(row)]));
  const tableOf = () =>
    tiles.map((leaf) => [
      leaf.path.join(" › "),
      weight === "time" ? format(leaf.value) : grouped(leaf.value),
    ]);
  return (
    <>
      <section class="section" aria-label="Flame graph">
        <div class="bar toolbar">
          <Choice
            label="Show"
            options={WEIGHTS}
            value={weight}
            onPick={(value) => go({ weight: value, frame: "" })}
          />
          <Choice
            label="by"
            options={{ stack: "stack", op: "op path" }}
            value={by}
            onPick={(value) => go({ group: value === "stack" ? "" : value, frame: "" })}
          />
          <input
            class="text-field push"
            type="search"
            aria-label="Search frames"
            placeholder="search frames"
            value={at("search")}
            onInput={(event) => go({ search: event.currentTarget.value }, true)}
          />
          <button
            type="button"
            class="small-button"
            disabled={focus === root}
            onClick={() => go({ frame: "" })}
          >
            Show all
          </button>
        </div>
        <Figure
          title={title}
          note={format(root.value)}
          readout={readout}
          header={["Path", "Value"]}
          rows={tableOf}
        >
          {root.value > 0 ? (
            <Flame
              root={root}
              focus={focus}
              depth={depthOf(root)}
              matches={search ? (node) => node.name.toLowerCase().includes(search) : null}
              shade={shadeBelow}
              format={format}
              label={`Flame graph of what is ${WEIGHTS[weight]}: ${format(root.value)}.`}
              onRead={(text) => {
                readout.value = text;
              }}
              onFocus={(node) => {
                if (node.site !== null && node === focus) chooseSite(node.site);
                go({ frame: formatPath(pathOf(node)) });
              }}
            />
          ) : (
            <p class="table-empty">Nothing to show: no bytes are {WEIGHTS[weight]}.</p>
          )}
        </Figure>
      </section>
      <section class="section" aria-label="Treemap">
        <Figure title={`${title}, by site`} header={["Path", "Value"]} rows={tableOf}>
          <Treemap
            tiles={tiles.map((leaf) => ({
              name: names.get(leaf.site) ?? "",
              size: leaf.value,
              shade: shades.value.get(leaf.site),
              chosen: leaf.site === chosenSite.value,
            }))}
            label={`Sites by ${WEIGHTS[weight]}.`}
            height={160}
            format={format}
            onRead={(text) => {
              readout.value = text;
            }}
            onPick={(index) => chooseSite(tiles[index]?.site ?? -1)}
          />
        </Figure>
      </section>
    </>
  );
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A path in the address: a JSON list, since names may hold any separator. */
function formatPath(path: readonly string[]): string {
  return path.length > 0 ? JSON.stringify(path) : "";
}

function parsePath(text: string): string[] {
  try {
    const path: unknown = JSON.parse(text);
    return Array.isArray(path) ? path.map(String) : [];
  } catch {
    return [];
  }
}
