/**
 * Numbers as people read them: binary units, thousands grouped by a thin space, unknown as "?".
 * The server's `analysis/wording.py` says them by the same rule; both are held to golden/words.json.
 */

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] as const;
const THIN_SPACE = "\u202f";
const MINUS = "\u2212";
export const UNKNOWN = "?";

export type Amount = number | null | undefined;

function known(value: Amount): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** 1234567 -> "1 234 567". Fractions keep at most `digits` places. */
export function grouped(value: Amount, digits = 0): string {
  if (!known(value)) return UNKNOWN;
  const [whole = "0", fraction] = Math.abs(value).toFixed(digits).split(".");
  const text = whole.replace(/\B(?=(\d{3})+$)/g, THIN_SPACE);
  const sign = value < 0 && Number(Math.abs(value).toFixed(digits)) !== 0 ? MINUS : "";
  return sign + (fraction === undefined ? text : `${text}.${fraction}`);
}

/** Bytes in the largest unit that keeps a whole part, three significant figures. */
export function bytes(value: Amount): string {
  if (!known(value)) return UNKNOWN;
  let size = Math.abs(value);
  let unit = 0;
  while (size >= 1023.5 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${value < 0 ? MINUS : ""}${unit === 0 ? grouped(size) : significant(size)} ${UNITS[unit]}`;
}

/** Bytes as a change: always with its sign. */
export function signedBytes(value: Amount): string {
  return known(value) && value > 0 ? `+${bytes(value)}` : bytes(value);
}

/** Every byte, for tables where sizes are compared: "131 072 B". */
export function exactBytes(value: Amount): string {
  return known(value) ? `${grouped(value)} B` : UNKNOWN;
}

const SHORT = [
  ["s", 1e9],
  ["ms", 1e6],
  ["µs", 1e3],
] as const;

/** Nanoseconds with three significant figures, in seconds at most: "12.3 ms". */
export function duration(value: Amount): string {
  if (!known(value)) return UNKNOWN;
  if (value === 0) return "0";
  for (const [unit, scale] of SHORT) {
    const size = value / scale;
    if (Math.abs(size) >= 0.9995) return `${significant(size)} ${unit}`;
  }
  return `${grouped(value)} ns`;
}

const LONG = [
  ["d", 86_400e9],
  ["h", 3_600e9],
  ["min", 60e9],
  ["s", 1e9],
] as const;

/**
 * How long something takes: from a minute on in the largest unit, "13 min", with the next smaller where
 * there are fewer than ten of it, "9 h 20 min"; rounded to the smallest that is told.
 */
export function span(value: Amount): string {
  if (!known(value) || value < 59.95e9) return duration(value);
  for (const [index, [unit, size]] of LONG.entries()) {
    const small = LONG[index + 1];
    if (!small) break;
    const each = size / small[1];
    const parts = Math.round(value / small[1]);
    if (parts < each) continue;
    if (parts >= 10 * each) return `${grouped(value / size)} ${unit}`;
    const rest = parts % each;
    return `${Math.floor(parts / each)} ${unit}${rest ? ` ${rest} ${small[0]}` : ""}`;
  }
  return UNKNOWN;
}

/** Three significant figures, thousands grouped, no trailing zeros after the point. */
export function significant(value: Amount): string {
  if (!known(value)) return UNKNOWN;
  const size = Math.abs(value);
  const digits = size >= 99.95 || size === 0 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
  const text = grouped(value, digits);
  return digits === 0 ? text : text.replace(/\.?0+$/, "");
}

/** A figure said with "about": three leading figures. */
export function rounded(value: Amount): string {
  if (!known(value)) return UNKNOWN;
  let scale = 1;
  while (value / scale >= 999.5) scale *= 10;
  return grouped(Math.round(value / scale) * scale);
}

/** A share as a whole percentage that never rounds up to certainty. */
export function percent(value: Amount): string {
  if (!known(value)) return UNKNOWN;
  if (value > 0.99 && value < 1) return "> 99 %";
  if (value > 0 && value < 0.01) return "< 1 %";
  return `${Math.round(value * 100)} %`;
}

/** "1 block", "30 blocks". */
export function counted(value: Amount, one: string, many = `${one}s`): string {
  return `${grouped(value)} ${Math.abs(value ?? 0) === 1 ? one : many}`;
}
