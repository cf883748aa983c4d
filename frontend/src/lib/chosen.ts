/** Which sites are chosen: those that the address names, else those of the chosen finding. */

interface Owned {
  readonly index: number;
  readonly finding: string | null;
}

const LIST = /^\d+(,\d+)*$/;

/** The parts of a finding carry its id and a number: f2.1 is a part of f2. */
const belongs = (part: string | null, finding: string) =>
  part !== null && (part === finding || part.startsWith(`${finding}.`));

/** Sites in the order in which they were chosen. */
export function chosenOf(sites: string, finding: string, rows: readonly Owned[]): number[] {
  if (LIST.test(sites)) return [...new Set(sites.split(",").map(Number))];
  if (finding === "") return [];
  return rows.filter((row) => belongs(row.finding, finding)).map((row) => row.index);
}

/** Choose these instead; `toggle` keeps what was chosen and turns each of these over. */
export function rechosen(
  before: readonly number[],
  picked: readonly number[],
  toggle: boolean,
): number[] {
  if (!toggle) return [...new Set(picked)];
  const kept = before.filter((one) => !picked.includes(one));
  return [...kept, ...picked.filter((one) => !before.includes(one))];
}
