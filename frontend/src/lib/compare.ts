/** Two memories side by side: the same sites, before and after. */
import type { SitesPayload } from "../api/wire.ts";

type Columns = SitesPayload["columns"];

export interface Side {
  readonly rate: number;
  readonly live: number;
  readonly blocks: number;
}

export interface Pair {
  readonly key: string;
  readonly op: string;
  readonly shape: string;
  readonly dtype: string;
  readonly before: Side | null;
  readonly after: Side | null;
}

function sidesOf({ columns }: SitesPayload): Map<string, Side & { at: number }> {
  const sides = new Map<string, Side & { at: number }>();
  for (const [i, op] of columns.op.entries()) {
    const key = [op, columns.shape[i], columns.dtype[i], op ? "" : columns.stack[i]?.[0]].join(
      "\n",
    );
    const known = sides.get(key);
    sides.set(key, {
      at: known?.at ?? i,
      rate: (known?.rate ?? 0) + (columns.bytes_per_step[i] ?? 0),
      live: (known?.live ?? 0) + (columns.survivor_bytes[i] ?? 0),
      blocks: (known?.blocks ?? 0) + (columns.survivors[i] ?? 0),
    });
  }
  return sides;
}

/**
 * Match sites by op, shape and type (by the innermost frame too where there is no op). Sites of one
 * name are added up. Blind spot: a site whose shape changed between the two stands twice.
 */
export function compareSites(before: SitesPayload, after: SitesPayload): Pair[] {
  const [old, now] = [sidesOf(before), sidesOf(after)];
  return [...new Set([...now.keys(), ...old.keys()])].map((key) => {
    const [was, is] = [old.get(key) ?? null, now.get(key) ?? null];
    const columns: Columns = is ? after.columns : before.columns;
    const at = (is ?? was)?.at ?? 0;
    return {
      key,
      op: columns.op[at] ?? "",
      shape: columns.shape[at] ?? "",
      dtype: columns.dtype[at] ?? "",
      before: was,
      after: is,
    };
  });
}
