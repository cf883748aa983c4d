/** The keys of the place, as they stand in the address, and which choices depend on which. */
export const KEYS = [
  "session",
  "host",
  "memory",
  "view",
  "finding",
  "site",
  "zoom",
  "range",
  "at",
  "scale",
  "drag",
  "sort",
  "filter",
  "order",
  "find",
  "color",
  "block",
  "rows",
  "weight",
  "group",
  "frame",
  "search",
  "module",
  "place",
  "space",
  "point",
  "points",
  "buffer",
  "compare",
  "compare_host",
  "compare_memory",
] as const;

export type Key = (typeof KEYS)[number];
export type Place = Readonly<Partial<Record<Key, string>>>;

const OF_MEMORY: readonly Key[] = [
  "finding",
  "site",
  "zoom",
  "range",
  "at",
  "block",
  "rows",
  "frame",
];
const OF_PROGRAM: readonly Key[] = ["space", "point", "points", "buffer", "rows"];
const OF_HOST: readonly Key[] = ["memory", "module", "place", ...OF_MEMORY, ...OF_PROGRAM];
/** Choices that mean something for one session, host and memory alone. */
export const BOUND: ReadonlySet<string> = new Set(OF_HOST);
/** All that a link may choose inside of a memory or of two, unchosen. */
export const UNCHOSEN: Place = Object.fromEntries(
  [...OF_HOST, "compare_host", "compare_memory"]
    .filter((key) => key !== "memory")
    .map((key) => [key, ""]),
);
const OF_VIEW: readonly Key[] = ["sort", "filter", "order", "find"];

/** What was chosen inside of a choice goes when that choice changes. */
const DEPENDENT: Partial<Record<Key, readonly Key[]>> = {
  session: ["host", ...OF_HOST],
  host: OF_HOST,
  memory: OF_MEMORY,
  module: OF_PROGRAM,
  view: OF_VIEW,
};

/** Where a patch leads to: what depends on changed choices goes, unless the patch names it. */
export function moved(before: Place, patch: Place): Place {
  const after: Partial<Record<Key, string>> = { ...before };
  for (const key of Object.keys(patch) as Key[]) {
    if ((patch[key] ?? "") === (before[key] ?? "")) continue;
    for (const dependent of DEPENDENT[key] ?? []) delete after[dependent];
  }
  Object.assign(after, patch);
  for (const key of Object.keys(after) as Key[]) if (after[key] === "") delete after[key];
  return after;
}
