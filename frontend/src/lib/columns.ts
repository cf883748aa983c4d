/** Column-oriented answers as rows. */

type Row<C> = { [K in keyof C]: C[K] extends readonly (infer V)[] ? V : never };

/** Turn columns of equal length into rows; a short column leaves nulls. */
export function rowsOf<C extends { [K in keyof C]: readonly unknown[] }>(columns: C): Row<C>[] {
  const entries = Object.entries(columns) as [string, readonly unknown[]][];
  const length = entries.reduce((most, [, column]) => Math.max(most, column.length), 0);
  return Array.from({ length }, (_, index) => {
    const row: Record<string, unknown> = {};
    for (const [key, column] of entries) row[key] = column[index] ?? null;
    return row as Row<C>;
  });
}
