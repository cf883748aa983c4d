/** What a finding or a site rests on: survivors by step, bytes over time, origin, advice, blocks. */
import { useSignal } from "@preact/signals";
import { address, type Params } from "../api/client.ts";
import type { Finding, Site, SitePayload } from "../api/wire.ts";
import { StepArea } from "../charts/StepArea.tsx";
import { StepBars } from "../charts/StepBars.tsx";
import { handedText, survivorNote, survivorText } from "../lib/bins.ts";
import { bytes, counted, duration, grouped, percent } from "../lib/numbers.ts";
import type { Range } from "../lib/range.ts";
import { frameText, isPython, siteName } from "../lib/text.ts";
import { type Tone, toneOf } from "../lib/words.ts";
import { hostReport, subject } from "../state/data.ts";
import { useResource } from "../state/resource.ts";
import { bounds } from "../state/timeline.ts";
import { Figure } from "../ui/Figure.tsx";
import { Later } from "../ui/Later.tsx";
import { AdviceProse, Prose } from "../ui/Prose.tsx";
import { Loading, Trouble } from "../ui/Trouble.tsx";
import { Blocks } from "./Blocks.tsx";

interface Props {
  /** Either a finding, or a site that has none. */
  finding: Finding | undefined;
  site: number | undefined;
}

const loadOrigins = () => import("./later.ts").then((module) => module.Origins);

const SOURCES: Record<string, string> = {
  op: "operation named by the framework",
  stack: "stack around the allocation",
  hlo: "compiled program",
  thread: "only the thread is known",
  unknown: "not told by the profile",
};

function Frames({ stack }: { stack: readonly string[] }) {
  return (
    <>
      {stack.map((frame, index) => (
        <li key={index} class={isPython(frame) ? "own" : undefined}>
          <Prose text={frameText(frame)} />
        </li>
      ))}
    </>
  );
}

/** Where Python frames are known they tell most: the runtime's, inside of them, are folded away. */
export function Origin({ site }: { site: Site }) {
  const python = site.stack.some(isPython);
  const inside = python ? site.stack.findIndex(isPython) : 0;
  return (
    <section aria-label="Where it comes from">
      <div class="figure-head">
        <h2>Where it comes from</h2>
        <span class="label cut">{SOURCES[site.source] ?? site.source}</span>
      </div>
      <ol class="stack" tabIndex={0} aria-label="Stack, innermost first">
        {frameText(site.stack[inside] ?? "") !== `in ${siteName(site)}` && (
          <li>
            <Prose text={siteName(site)} />
          </li>
        )}
        <Frames stack={site.stack.slice(inside)} />
        {site.thread && <li>on thread {site.thread}</li>}
      </ol>
      {inside > 0 && (
        <details>
          <summary class="label">{counted(inside, "frame")} of the runtime inside</summary>
          <ol class="stack">
            <Frames stack={site.stack.slice(0, inside)} />
          </ol>
        </details>
      )}
      {site.unknown_why && <p class="label">{site.unknown_why}</p>}
    </section>
  );
}

export function Advice({ text }: { text: string | undefined }) {
  if (!text) return null;
  return (
    <section aria-label="What to do">
      <div class="figure-head">
        <h2>What to do</h2>
      </div>
      <p class="prose">
        <AdviceProse text={text} />
      </p>
    </section>
  );
}

/** Matching with compiled programs takes a while: only when asked. */
function Buffers({ params }: { params: Params }) {
  const open = useSignal(false);
  return (
    <details onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary class="label">Which buffers of compiled programs are these?</summary>
      {open.value && <Later load={loadOrigins} params={params} />}
    </details>
  );
}

interface SurvivorProps {
  payload: SitePayload;
  tone: Tone;
}
type Handed = NonNullable<SitePayload["handed_on"]>;

function BySteps({ finding, ...rest }: SurvivorProps & { finding: Finding | undefined }) {
  const handed = rest.payload.handed_on;
  const bySize = finding?.kind === "growth" && finding.pattern === "by size";
  return bySize && handed ? <HandedOn {...rest} handed={handed} /> : <Survivors {...rest} />;
}

function Survivors({ payload, tone }: SurvivorProps) {
  const readout = useSignal("");
  const { number, blocks, bytes: sizes } = payload.survivors_by_step;
  const note = survivorNote(blocks);
  return (
    <Figure
      title="Survivors by the step that made them"
      note={note}
      readout={readout}
      header={["Step", "Blocks", "Bytes"]}
      rows={() => number.map((n, i) => [grouped(n), grouped(blocks[i]), grouped(sizes[i])])}
    >
      <StepBars
        numbers={number}
        heights={blocks}
        read={(bin) => survivorText(bin, number, blocks, sizes)}
        tone={tone}
        label={`Blocks still live at the end, by birth step: ${note}. Arrow keys read the bars.`}
        onRead={(text) => (readout.value = text)}
      />
    </Figure>
  );
}

/**
 * Growth by size leaves one survivor: it shows in what each step hands to the next. As requested: an
 * allocator that puts a block into a larger hole hides how it grows.
 */
function HandedOn({ payload, handed, tone }: SurvivorProps & { handed: Handed }) {
  const readout = useSignal("");
  const { number } = payload.survivors_by_step;
  const { blocks, bytes: sizes, requested_bytes: asked } = handed;
  const note = `${bytes(asked[0])} to ${bytes(asked[asked.length - 1])}, as requested`;
  return (
    <Figure
      title="Bytes handed to the next step"
      note={note}
      readout={readout}
      header={["Step", "Blocks", "Requested bytes", "Allocated bytes"]}
      rows={() =>
        number.map((n, i) => [n, blocks[i], asked[i], sizes[i]].map((value) => grouped(value)))
      }
    >
      <StepBars
        numbers={number}
        heights={asked}
        read={(bin) => handedText(bin, number)}
        tone={tone}
        label={`Bytes live when each step ends: ${note}. Arrow keys read the bars.`}
        onRead={(text) => (readout.value = text)}
      />
    </Figure>
  );
}

/** Bytes hold between events: nothing before the first birth, the last value to the window's end. */
function held(live: SitePayload["live"], window: Range) {
  const [first = 0] = live.time_ns;
  const last = live.time_ns[live.time_ns.length - 1] ?? 0;
  const lead = first > window.start;
  const trail = last < window.end;
  return {
    times: [...(lead ? [window.start] : []), ...live.time_ns, ...(trail ? [window.end] : [])],
    sizes: [...(lead ? [0] : []), ...live.bytes, ...(trail ? [live.bytes.at(-1) ?? 0] : [])],
  };
}

function LiveBytes({ payload }: { payload: SitePayload }) {
  const readout = useSignal("");
  const { sampled } = payload.live;
  const { times, sizes } = held(payload.live, bounds.value);
  const most = sizes.reduce((high, size) => Math.max(high, size), 0);
  return (
    <Figure
      title="Live bytes of this site"
      note={`up to ${bytes(most)}${sampled ? ", sampled" : ""}`}
      readout={readout}
      header={["Time", "Bytes"]}
      rows={() => times.map((time, i) => [duration(time), grouped(sizes[i])])}
    >
      <StepArea
        times={times}
        sizes={sizes}
        label={`Bytes of this site over time, at most ${bytes(most)}. Arrow keys read the values.`}
        onRead={(text) => (readout.value = text)}
      />
    </Figure>
  );
}

export function Evidence({ finding, site }: Props) {
  const params: Params | null = subject.value && {
    ...subject.value,
    ...(finding ? { finding: finding.id } : { site }),
  };
  const url = params ? address("site", params) : null;
  const answer = useResource<SitePayload>(url);
  const payload = answer.data.value;
  if (answer.error.value && !finding)
    return <Trouble error={answer.error.value} onRetry={answer.retry} />;
  const from = finding?.site ?? payload?.site;
  return (
    <div class="evidence">
      {finding && (
        <div class="wide lead">
          <h2>
            <Prose text={finding.title} />
          </h2>
          <p class="prose">
            <Prose text={finding.detail} />{" "}
            {finding.confidence !== null && `${percent(finding.confidence)} sure.`}
          </p>
          {finding.expected && (
            <p>
              <strong>Set aside:</strong> <Prose text={finding.expected} />
            </p>
          )}
        </div>
      )}
      {payload && (
        <BySteps finding={finding} payload={payload} tone={finding ? toneOf(finding) : "quiet"} />
      )}
      {payload && <LiveBytes payload={payload} />}
      {!payload && answer.pending.value && <Loading what="Reading the evidence…" />}
      {from && (
        <div>
          <Origin site={from} />
          {params && (hostReport.value?.modules.length ?? 0) > 0 && <Buffers params={params} />}
        </div>
      )}
      <Advice text={finding?.advice} />
      {payload && params && (
        <div class="wide">
          <Blocks payload={payload} params={params} />
        </div>
      )}
    </div>
  );
}
