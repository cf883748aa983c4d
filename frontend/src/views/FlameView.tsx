/** Flame graph and treemap of what survives, what is live at a moment, or bytes times lifetime. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { address } from "../api/client.ts";
import type { FlamePayload } from "../api/frames.ts";
import type { MemoryReport } from "../api/wire.ts";
import { Flame } from "../charts/Flame.tsx";
import { bytes, counted, percent } from "../lib/numbers.ts";
import { findPath, heldBy, type Node } from "../lib/tree.ts";
import { sites, subject } from "../state/data.ts";
import { at, go } from "../state/place.ts";
import { useResource } from "../state/resource.ts";
import { chooseSite, chosenSites } from "../state/sites.ts";
import { moment } from "../state/timeline.ts";
import { Figure } from "../ui/Figure.tsx";
import { Loading, Trouble } from "../ui/Trouble.tsx";
import { Areas } from "./FlameAreas.tsx";
import {
  byteSeconds,
  focusOf,
  formatPath,
  look,
  nodeName,
  OF,
  parsePath,
  type Seen,
  secondsOf,
  shadeBelow,
  tableOf,
  titleOf,
  WEIGHTS,
  type Weight,
} from "./FlameTree.ts";

const GROUPS = { stack: "stack", op: "op path", module: "module" } as const;
type Group = keyof typeof GROUPS;

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

export function FlameView({ memory }: { memory: MemoryReport }) {
  const weight = (Object.hasOwn(WEIGHTS, at("weight")) ? at("weight") : "survivors") as Weight;
  const group = (Object.hasOwn(GROUPS, at("group")) ? at("group") : "stack") as Group;
  const time = moment.value ?? memory.totals.peak_ns;
  const where = subject.value;
  const asked = {
    ...where,
    of: OF[weight],
    by: group,
    at_ns: weight === "live" ? time : null,
  };
  const about = JSON.stringify(where);
  const can = where && (weight !== "live" || time !== null);
  const answer = useResource<FlamePayload>(can ? address("flame", asked) : null, about);
  const whole = answer.data.value;
  // Of a tree too large to be sent whole, the part that is zoomed to is asked for by itself.
  const frame = at("frame");
  const part = useResource<FlamePayload>(
    can && frame && whole?.left_out ? address("flame", { ...asked, frame }) : null,
    about,
  );
  const near = part.data.value;
  const all = useMemo(() => (whole ? look(whole) : null), [whole]);
  const zoomed = useMemo(() => (near ? look(near) : null), [near]);
  const fits =
    zoomed && all && sameQuestion(zoomed.tree, all.tree) && findPath(zoomed.root, parsePath(frame));
  const seen = fits ? zoomed : all;
  const fault = answer.error.value ?? sites.error.value;
  const ready = seen && !fault && sites.data.value ? seen : null;
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
            options={GROUPS}
            value={group}
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
            disabled={at("frame") === ""}
            onClick={() => go({ frame: "" })}
          >
            Show all
          </button>
        </div>
        {ready ? (
          <Frames {...ready} />
        ) : !fault ? (
          <Loading what="Reading the frames…" />
        ) : fault.code === "not_in_file" ? (
          <Absent ofMoment={weight === "live" && moment.value !== null} />
        ) : (
          <Trouble error={fault} onRetry={answer.error.value ? answer.retry : sites.retry} />
        )}
      </section>
      {ready && ready.root.value > 0 && <Areas {...ready} />}
    </>
  );
}

const sameQuestion = (a: FlamePayload, b: FlamePayload) =>
  a.of === b.of && a.by === b.by && a.at_ns === b.at_ns;

/** A report file holds the flame graphs of the end and of the peak. */
function Absent({ ofMoment }: { ofMoment: boolean }) {
  return (
    <>
      <p class="prose">
        This report file holds {ofMoment ? "what was live at the peak alone" : "no such picture"}:
        open the session in TensorBoard to see it.
      </p>
      {ofMoment && (
        <button type="button" class="small-button" onClick={() => go({ at: "" })}>
          Back to the peak
        </button>
      )}
    </>
  );
}

function noteOf({ tree, root, thin }: Seen, all: string, held: string): string {
  const before = tree.baseline_bytes;
  return [
    `${all} in ${counted(root.blocks, "block")}`,
    held,
    before ? `beside ${bytes(before)} from before the window` : "",
    thin ? "what lies under a pixel merged" : "",
    tree.left_out > 0 ? `${counted(tree.left_out, "smaller frame")} only in the sums` : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

function Frames(seen: Seen) {
  const { tree, root, depth } = seen;
  const readout = useSignal("");
  const seconds = secondsOf(tree);
  const format = seconds ? byteSeconds : bytes;
  const focus = focusOf(root);
  const search = at("search").trim().toLowerCase();
  const isWanted = (node: Node) => nodeName(node).toLowerCase().includes(search);
  const held = useMemo(() => (search ? heldBy(focus, isWanted) : 0), [focus, search]);
  // Frames that all stand back would only look broken.
  const matches = held > 0 ? isWanted : null;
  const of = focus === root ? "" : ` of ${nodeName(focus)}`;
  const title = titleOf(tree);
  const share = `${format(held)} found, ${percent(held / focus.value)}${of}`;
  const foundText = matches ? share : search && `no frame matches “${at("search").trim()}”`;
  if (root.value <= 0)
    return (
      <>
        <h2>{title}</h2>
        <p class="table-empty">Nothing to show: no block of the window is among them.</p>
      </>
    );
  return (
    <>
      <Figure
        title={title}
        note={noteOf(seen, format(root.value), foundText)}
        readout={readout}
        {...tableOf(focus, seconds)}
      >
        <Flame
          key={`${tree.of} ${tree.by} ${tree.at_ns}`}
          root={root}
          focus={focus}
          depth={depth}
          nameOf={nodeName}
          matches={matches}
          shade={shadeBelow}
          chosen={(node) => node.site !== null && chosenSites.value.has(node.site)}
          format={format}
          label={`Flame graph, ${title.toLowerCase()}: ${format(root.value)}.`}
          onRead={(text) => {
            readout.value = text;
          }}
          onFocus={(node) => {
            if (node.site !== null && node === focus) chooseSite(node.site);
            go({ frame: formatPath(node) });
          }}
        />
      </Figure>
      {tree.note && <p class="prose">{tree.note}</p>}
    </>
  );
}
