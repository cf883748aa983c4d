/**
 * The filter language of the tables. Terms are separated by spaces and all must hold:
 *
 *   relu                 some text column has it, whatever the case
 *   op:relu              that column has it; `"..."` keeps spaces together
 *   size>1MiB  age>=3    numbers, with B, KiB, MiB, GiB, ns, us, ms, s
 *   -thread:main         not
 *
 * A term that names no column, or compares a text, is an error: shown, never guessed at.
 */
export type Cell = string | number | null;
export type Getter<R> = (row: R) => Cell;
export type Columns<R> = Readonly<Record<string, Getter<R>>>;
export type Filter<R> = { ok: true; keep: (row: R) => boolean } | { ok: false; message: string };

const TERM = /(-?)(?:([a-z_]+)(:|>=|<=|!=|=|>|<))?("[^"]*"?|\S+)/giy;
const NUMBER = /^(-?[\d_]*\.?\d+)\s*([a-zµ]*)$/i;
const SCALES: Record<string, number> = {
  "": 1,
  b: 1,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
  k: 2 ** 10,
  m: 2 ** 20,
  g: 2 ** 30,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  ns: 1,
  us: 1e3,
  µs: 1e3,
  ms: 1e6,
  s: 1e9,
};

/** A number with a unit as a plain number of bytes or nanoseconds; NaN when it is none. */
export function parseAmount(text: string): number {
  const match = NUMBER.exec(text);
  const scale = SCALES[(match?.[2] ?? "").toLowerCase()];
  return match?.[1] === undefined || scale === undefined
    ? Number.NaN
    : Number(match[1].replaceAll("_", "")) * scale;
}

const COMPARE: Record<string, (a: number, b: number) => boolean> = {
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  "=": (a, b) => a === b,
  "!=": (a, b) => a !== b,
};

function includes(cell: Cell, needle: string): boolean {
  return cell !== null && String(cell).toLowerCase().includes(needle);
}

function comparison<R>(
  get: Getter<R>,
  operator: string,
  text: string,
): ((row: R) => boolean) | null {
  const bound = parseAmount(text);
  const compare = COMPARE[operator];
  if (!compare) return null;
  if (Number.isNaN(bound)) {
    if (operator !== "=" && operator !== "!=") return null;
    const same = operator === "=";
    return (row) => (String(get(row) ?? "").toLowerCase() === text) === same;
  }
  return (row) => {
    const cell = get(row);
    return typeof cell === "number" && compare(cell, bound);
  };
}

/** Read a filter over the named columns. An empty text keeps everything. */
export function parseFilter<R>(text: string, columns: Columns<R>): Filter<R> {
  const tests: ((row: R) => boolean)[] = [];
  const getters = Object.values(columns);
  for (const { negative, column, operator, value } of terms(text)) {
    let test: ((row: R) => boolean) | null;
    if (column === "") {
      test = (row) => getters.some((get) => includes(get(row), value));
    } else {
      const get = columns[column];
      if (!get)
        return fault(`No column “${column}”. There are ${Object.keys(columns).join(", ")}.`);
      test =
        operator === ":" ? (row) => includes(get(row), value) : comparison(get, operator, value);
      if (!test) return fault(`“${column}${operator}” wants a number, such as 3 or 1MiB.`);
    }
    const sure = test;
    tests.push(negative ? (row) => !sure(row) : sure);
  }
  return { ok: true, keep: (row) => tests.every((test) => test(row)) };
}

interface Term {
  negative: boolean;
  column: string;
  operator: string;
  value: string;
}

function terms(text: string): Term[] {
  const found: Term[] = [];
  const source = text.trim();
  let index = 0;
  while (index < source.length) {
    if (/\s/.test(source.charAt(index))) {
      index += 1;
      continue;
    }
    TERM.lastIndex = index;
    const match = TERM.exec(source);
    if (!match) break;
    index = TERM.lastIndex;
    found.push({
      negative: match[1] === "-",
      column: (match[2] ?? "").toLowerCase(),
      operator: match[3] ?? "",
      value: (match[4] ?? "").replace(/^"|"$/g, "").toLowerCase(),
    });
  }
  return found;
}

function fault<R>(message: string): Filter<R> {
  return { ok: false, message };
}
