/** How far a reading is, in words. */
import type { Phase, ProgressPayload } from "../api/wire.ts";
import { bytes, grouped, percent } from "./numbers.ts";

const WORDS: Record<Phase, string> = {
  waiting: "Reading",
  fetching: "Fetching",
  reading: "Reading",
  analysing: "Analysing",
  programs: "Reading the programs of",
  naming: "Naming the sites of",
  snapshots: "Reading the snapshots of",
};
const IN_BYTES: readonly (Phase | null)[] = ["fetching", "reading"];

/** "Reading host0": what goes on. */
export function workText({ phase }: ProgressPayload, host: string): string {
  return `${(phase && WORDS[phase]) ?? "Reading"} ${host}`;
}

/** "1.3 of 2.1 GiB": the unit once where it is the same. */
function bytesOf(done: number, total: number): string {
  const [first = "", unit] = bytes(done).split(" ");
  const all = bytes(total);
  return `${all.endsWith(` ${unit}`) ? first : bytes(done)} of ${all}`;
}

/** "62 %, 1.3 of 2.1 GiB", or "3 of 8"; "" where nothing is counted. */
export function amountText({ phase, done, total }: ProgressPayload): string {
  if (total === null) return "";
  return IN_BYTES.includes(phase)
    ? `${percent(done / total)}, ${bytesOf(done, total)}`
    : `${grouped(done)} of ${grouped(total)}`;
}

/** What goes on and how far it is, in steps of a quarter, for who hears it. */
export function spokenText(progress: ProgressPayload, host: string): string {
  const { done, total } = progress;
  const share = total === null ? "" : `: ${Math.floor((4 * done) / total) * 25} %`;
  return workText(progress, host) + share;
}
