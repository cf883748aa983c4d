/** The plain words for what a finding is, and the shape that goes with its colour. */
import type {
  Finding,
  FindingKind,
  MemoryReport,
  Severity,
  StepsReport,
  Verdict,
} from "../api/wire.ts";
import {
  bytes,
  counted,
  exactBytes,
  grouped,
  percent,
  rounded,
  signedBytes,
  span,
} from "./numbers.ts";
import { siteName } from "./text.ts";

export type Mark = "circle" | "diamond" | "square";
export type Tone = "alarm" | "caution" | "quiet";

const KINDS: Record<FindingKind, string> = {
  growth: "grows",
  retained: "kept once",
  bounded: "levels off",
  delayed_free: "freed late",
  in_flight: "in flight",
  fragmentation: "fragmentation",
  program_long_buffer: "lives long in its program",
  missing_donation: "could be donated",
  recompilation: "compiled again and again",
  snapshot_growth: "grows between snapshots",
};

/** What the kind means, in a few words. A kind of a later server shows its own name. */
export function kindWords(kind: FindingKind): string {
  return KINDS[kind] ?? String(kind).replaceAll("_", " ");
}

/** How loud a finding is: its severity alone says so, in the terminal too. */
export function toneOf(finding: { severity: Severity; expected?: string | null }): Tone {
  if (finding.expected) return "quiet";
  if (finding.severity === "high") return "alarm";
  return finding.severity === "medium" ? "caution" : "quiet";
}

/** Each tone has its own shape, so that colour is never alone. */
export const MARKS: Record<Tone, Mark> = {
  alarm: "circle",
  caution: "diamond",
  quiet: "square",
};

/** What a finding counts, where that is not blocks. */
const NOUNS: Partial<Record<FindingKind, string>> = {
  program_long_buffer: "buffer",
  missing_donation: "buffer",
  recompilation: "version",
  snapshot_growth: "array",
};

/** Versions whose size nobody tells: their number is the figure. */
const isCounted = ({ kind, bytes: size, blocks }: Finding) =>
  kind === "recompilation" && !size && !!blocks;

/** The line under a finding's title: kind, then how many blocks. */
export function findingLine(finding: Finding, steps: StepsReport): string {
  const parts = [finding.expected ? "expected" : "", kindText(finding, steps)].filter(Boolean);
  if (finding.blocks !== null && finding.blocks > 0 && !isCounted(finding))
    parts.push(counted(finding.blocks, NOUNS[finding.kind] ?? "block"));
  return parts.join(" · ");
}

function kindText(finding: Finding, steps: StepsReport): string {
  if (finding.pattern) {
    return finding.kind === "growth" ? `grows ${finding.pattern}` : finding.pattern;
  }
  if (finding.kind !== "growth") return kindWords(finding.kind);
  const held = finding.steps_with_survivors;
  if (held !== null && held <= 1) return "grows by size";
  if (held !== null && steps.count > 0 && held >= steps.count - 1) return "grows every step";
  return held !== null && steps.count > 0 ? `grows, in ${held} of ${steps.count} steps` : "grows";
}

/** What a finding is called in the list: its site, and how many more it holds. */
export function findingName(finding: Finding): string {
  if (!finding.site) return finding.title;
  const more = (finding.parts?.length ?? 1) - 1;
  const name = siteName(finding.site);
  return more > 0 ? `${name} and ${grouped(more)} more` : name;
}

/** The figure at the right of a finding: a rate where there is one, else what it holds. */
export function findingFigure(finding: Finding): { value: string; unit: string } {
  if (finding.kind === "growth" && finding.bytes_per_step) {
    return { value: signedBytes(finding.bytes_per_step), unit: "a step" };
  }
  if (isCounted(finding)) {
    return { value: grouped(finding.blocks), unit: finding.blocks === 1 ? "version" : "versions" };
  }
  const saves = finding.kind === "missing_donation" && !finding.pattern;
  const unit = saves ? "to save" : finding.kind === "snapshot_growth" ? "more" : "held";
  return { value: bytes(finding.bytes), unit: finding.bytes === null ? "" : unit };
}

/** How long so many steps take at the usual pace: ", 4 h 20 min". */
function after(left: number, steps: StepsReport | undefined): string {
  return steps?.median_ns ? `, ${span(left * steps.median_ns)}` : "";
}

/** The verdict as a headline. */
export function headline(memory: MemoryReport, steps?: StepsReport): string {
  const { growth_bytes_per_step: rate, steps_to_oom: left } = memory.totals;
  switch (memory.verdict) {
    case "leak": {
      const first = rate ? `Leaks ${bytes(rate)} a step.` : "Leaks.";
      return left === null
        ? first
        : `${first} Full in about ${rounded(left)} steps${after(left, steps)}.`;
    }
    case "no_leak":
      return "Nothing leaks.";
    case "inconclusive":
      return "Cannot tell yet.";
    default:
      return "No memory events on this host.";
  }
}

/** How far the forecast may be off, and what of it is expected; "" where there is nothing to add. */
export function reach({ totals, findings }: MemoryReport): string {
  const { steps_to_oom: left, steps_to_oom_low: low, steps_to_oom_high: high } = totals;
  if (left === null) return "";
  const soonest = rounded(low);
  const latest = high === null ? "" : rounded(high);
  const set = findings.reduce(
    (sum, one) => sum + (one.expected ? (one.bytes_per_step ?? 0) : 0),
    0,
  );
  const parts = [];
  if (low && soonest !== latest)
    parts.push(`Full after ${soonest} ${latest ? `to ${latest} steps` : "steps at the soonest"}.`);
  if (set > 0) parts.push(`That counts the ${bytes(set)} a step that are expected.`);
  return parts.join(" ");
}

const STEP_SOURCES: Record<StepsReport["source"], string> = {
  markers: "steps",
  modules: "module launches taken as steps",
  pattern: "repeats of the pattern taken as steps",
  slices: "equal slices, for want of steps",
  none: "no steps",
};

/** What the confidence rests on. */
export function basis(steps: StepsReport): string {
  if (steps.count === 0 || steps.source === "none") return "no steps in this profile";
  if (steps.count === 1 && steps.source === "markers") return "from 1 step";
  return `from ${grouped(steps.count)} ${STEP_SOURCES[steps.source] ?? "steps"}`;
}

export const VERDICT_WORDS: Record<Verdict, string> = {
  leak: "leaks",
  no_leak: "nothing leaks",
  inconclusive: "cannot tell",
  no_events: "no events",
};

/** The second line under the headline: exact counts, and what the difference consists of. */
export function accounts(memory: MemoryReport): string {
  const { totals } = memory;
  if (memory.verdict === "no_events") return "";
  const left = `${counted(totals.survivor_blocks, "block")} (${bytes(totals.survivor_bytes)}) still live`;
  const parts = [
    counted(totals.allocations, "allocation"),
    counted(totals.deallocations, "deallocation"),
    left,
  ];
  if (totals.prewindow_deallocations > 0) {
    parts.push(`${counted(totals.prewindow_deallocations, "block")} from before the window freed`);
  }
  if (totals.lost > 0) parts.push(`${counted(totals.lost, "free")} not seen`);
  return `${parts.join(", ")}; ${balance(totals.unaccounted_bytes)}.`;
}

function balance(unaccounted: number | null): string {
  if (unaccounted === null) return "the allocator gives no total to check against";
  const total = "the allocator's own total";
  if (unaccounted === 0) return `the events add up to ${total}`;
  const than = unaccounted > 0 ? "higher" : "lower";
  return `${total} is ${exactBytes(Math.abs(unaccounted))} ${than} than the events tell`;
}

/** Confidence as shown beside the verdict. */
export function sureness(memory: MemoryReport): string {
  return memory.confidence === null ? "" : percent(memory.confidence);
}
