/** The kinds of columns that our tables are made of. */
import type { Cell } from "../lib/filter.ts";
import { type Amount, bytes, exactBytes, grouped, signedBytes } from "../lib/numbers.ts";
import type { Column } from "./columns.ts";
import { Name } from "./Name.tsx";

type Extra = Partial<Pick<Column<unknown>, "spare" | "hint" | "width" | "numeric">>;

/** Zeros stand back, so that the eye finds what is not zero. */
function quiet(value: Amount, format: (value: Amount) => string) {
  return value === 0 ? <span class="zero">0</span> : format(value);
}

function figures(format: (value: Amount) => string) {
  return <R,>(
    key: string,
    title: string,
    of: (row: R) => number | null,
    extra: Extra = {},
  ): Column<R> => ({
    key,
    title,
    width: 88,
    numeric: true,
    value: of,
    show: (row) => quiet(of(row), format),
    ...extra,
  });
}

export const sizes = figures(bytes);
export const exactSizes = figures(exactBytes);
export const changes = figures(signedBytes);
export const counts = figures(grouped);

/** A column of names, cut in the middle to about what its width holds. */
export function names<R>(
  key: string,
  title: string,
  of: (row: R) => string,
  extra: Extra = {},
): Column<R> {
  const width = extra.width ?? 220;
  const most = Math.max(12, Math.round(width / 3));
  return {
    key,
    title,
    value: of,
    show: (row) => <Name text={of(row)} most={most} />,
    ...extra,
    width,
  };
}

/** A column of plain words that need no cutting. */
export function words<R>(
  key: string,
  title: string,
  of: (row: R) => Cell,
  extra: Extra = {},
): Column<R> {
  return { key, title, width: 84, value: of, show: of, ...extra };
}
