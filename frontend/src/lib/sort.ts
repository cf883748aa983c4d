/** Sorting rows by a column: an index array, so that rows stay where they are. */
export interface Sort {
  readonly key: string;
  readonly descending: boolean;
}

/** The address form: `key` or `-key` for descending. */
export function parseSort(text: string): Sort | null {
  const match = /^(-?)([a-z_]+)$/.exec(text);
  return match?.[2] ? { key: match[2], descending: match[1] === "-" } : null;
}

export function formatSort(sort: Sort | null): string {
  return sort ? (sort.descending ? "-" : "") + sort.key : "";
}

type Value = string | number | null;

/** Unknown stands last in either direction; equal rows keep their order. */
export function sortedIndex<R>(
  rows: readonly R[],
  value: (row: R) => Value,
  descending: boolean,
): Uint32Array {
  const keys = rows.map(value);
  const sign = descending ? -1 : 1;
  return Uint32Array.from(rows.keys()).sort((a, b) => {
    const x = keys[a] ?? null;
    const y = keys[b] ?? null;
    if (x === null || y === null) return x === y ? a - b : x === null ? 1 : -1;
    if (x === y) return a - b;
    return (x < y ? -1 : 1) * sign;
  });
}
