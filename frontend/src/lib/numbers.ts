/** Numbers as people read them: binary units, thousands grouped by a thin space, unknown as "?". */

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;
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
  while (size >= 1023.995 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || size >= 100 || Number.isInteger(size) ? 0 : size >= 10 ? 1 : 2;
  const figure = size.toFixed(digits).replace(/\.0+$|(\.\d*[1-9])0+$/, "$1");
  return `${value < 0 ? MINUS : ""}${grouped(Number(figure), fractionDigits(figure))} ${UNITS[unit]}`;
}

function fractionDigits(figure: string): number {
  const point = figure.indexOf(".");
  return point < 0 ? 0 : figure.length - point - 1;
}

/** Bytes as a change: always with its sign. */
export function signedBytes(value: Amount): string {
  return known(value) && value > 0 ? `+${bytes(value)}` : bytes(value);
}

/** Every byte, for tables where sizes are compared: "131 072 B". */
export function exactBytes(value: Amount): string {
  return known(value) ? `${grouped(value)} B` : UNKNOWN;
}

/** Nanoseconds in the unit that fits: "12.3 ms". */
export function duration(value: Amount): string {
  if (!known(value)) return UNKNOWN;
  if (value === 0) return "0";
  const size = Math.abs(value);
  for (const [unit, scale] of [
    ["s", 1e9],
    ["ms", 1e6],
    ["µs", 1e3],
  ] as const) {
    if (size >= scale) return `${significant(value / scale)} ${unit}`;
  }
  return `${grouped(value)} ns`;
}

const SPANS = [
  ["d", 86_400e9],
  ["h", 3_600e9],
  ["min", 60e9],
] as const;

/** A long time in its two largest units: "4 h 20 min"; under a minute as a duration. */
export function span(value: Amount): string {
  if (!known(value)) return UNKNOWN;
  const index = SPANS.findIndex(([, size]) => value >= size);
  const large = SPANS[index];
  if (!large) return duration(value);
  const whole = Math.floor(value / large[1]);
  const small = SPANS[index + 1];
  const rest = small ? Math.floor((value - whole * large[1]) / small[1]) : 0;
  return `${grouped(whole)} ${large[0]}${small && rest > 0 ? ` ${rest} ${small[0]}` : ""}`;
}

/** Three significant figures, thousands grouped, no trailing zeros after the point. */
export function significant(value: Amount): string {
  if (!known(value)) return UNKNOWN;
  const size = Math.abs(value);
  const digits = size >= 100 || size === 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  const text = grouped(value, digits);
  return digits === 0 ? text : text.replace(/\.?0+$/, "");
}

/** A figure said with "about": two leading digits at most beyond a thousand. */
export function rounded(value: Amount): string {
  if (!known(value)) return UNKNOWN;
  if (value < 1000) return grouped(value);
  const scale = 10 ** (Math.floor(Math.log10(value)) - 2);
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
  return `${grouped(value)} ${value === 1 ? one : many}`;
}
