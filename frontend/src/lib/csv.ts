/** Tables as text that other programs read. */

/** One field; quoted where needed. A leading "=", "+", "-" or "@" would run as a formula: made text. */
function field(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows under a header, lines ended as RFC 4180 wants them. */
export function toCsv(
  header: readonly string[],
  rows: readonly (string | number | null)[][],
): string {
  return [header, ...rows]
    .map((row) => row.map(field).join(","))
    .join("\r\n")
    .concat("\r\n");
}

/** Rows for a spreadsheet's paste: tabs between cells; tabs and newlines inside become spaces. */
export function toTabs(
  header: readonly string[],
  rows: readonly (string | number | null)[][],
): string {
  const cell = (value: string | number | null) => String(value ?? "").replace(/[\t\r\n]+/g, " ");
  return [header, ...rows].map((row) => row.map(cell).join("\t")).join("\n");
}

/** Rows as objects, one key a column. */
export function toJson(
  header: readonly string[],
  rows: readonly (string | number | null)[][],
): string {
  const objects = rows.map((row) =>
    Object.fromEntries(header.map((key, index) => [key, row[index] ?? null])),
  );
  return JSON.stringify(objects, null, 1);
}
