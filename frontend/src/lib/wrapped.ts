/** A long axis wrapped into rows, as text is: what lies where, and what lies under a point. */
export interface Wrapping {
  readonly rows: number;
  /** Length of one row on the axis. */
  readonly each: number;
}

const PER_ROW = 60;

/** One row while pieces are few, more of them as there is more to tell apart. */
export function wrapping(length: number, pieces: number, most: number): Wrapping {
  const rows = Math.min(Math.max(1, Math.ceil(pieces / PER_ROW)), most);
  return { rows, each: Math.max(1, length / rows) };
}

export interface Run {
  readonly row: number;
  /** Shares of the row's width. */
  readonly left: number;
  readonly right: number;
}

/** The runs, one a row, that an extent of the axis covers. */
export function runsOf({ rows, each }: Wrapping, offset: number, size: number): Run[] {
  const runs: Run[] = [];
  const end = offset + size;
  for (let row = Math.floor(offset / each); row < rows && row * each < end; row += 1) {
    const left = Math.max(0, offset / each - row);
    const right = Math.min(1, end / each - row);
    if (right > left) runs.push({ row, left, right });
  }
  return runs;
}
