import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAmount, parseFilter } from "../src/lib/filter.ts";

interface Row {
  op: string;
  thread: string;
  size: number | null;
  age: number;
}
const ROWS: Row[] = [
  { op: "Relu", thread: "python main", size: 2 ** 20, age: 3 },
  { op: "MatMul", thread: "worker", size: 512, age: 30 },
  { op: "size>1", thread: "worker", size: null, age: 0 },
];
const COLUMNS = {
  op: (row: Row) => row.op,
  thread: (row: Row) => row.thread,
  size: (row: Row) => row.size,
  age: (row: Row) => row.age,
};
function kept(text: string): string[] {
  const filter = parseFilter(text, COLUMNS);
  assert.ok(filter.ok, filter.ok ? "" : filter.message);
  return ROWS.filter(filter.keep).map((row) => row.op);
}

test("no filter keeps everything", () => {
  assert.deepEqual(kept("  "), ["Relu", "MatMul", "size>1"]);
});

test("a bare word is looked for in every column, whatever its case", () => {
  assert.deepEqual(kept("WORKER"), ["MatMul", "size>1"]);
  assert.deepEqual(kept("relu"), ["Relu"]);
});

test("expressions compare numbers with units; unknown matches no comparison", () => {
  assert.deepEqual(kept("size>=1MiB"), ["Relu"]);
  assert.deepEqual(kept("size<1KiB"), ["MatMul"]);
  assert.deepEqual(kept("age!=3"), ["MatMul", "size>1"]);
});

test("terms add up, a minus turns one around, quotes keep spaces together", () => {
  assert.deepEqual(kept("thread:worker -op:matmul"), ["size>1"]);
  assert.deepEqual(kept('thread:"python main"'), ["Relu"]);
  assert.deepEqual(kept('"size>1"'), ["size>1"]);
});

test("what cannot be meant is an error, not a guess", () => {
  const unknown = parseFilter("colour:red", COLUMNS);
  assert.equal(unknown.ok, false);
  assert.match(unknown.ok ? "" : unknown.message, /No column “colour”.*op, thread, size, age/);
  assert.equal(parseFilter("size>big", COLUMNS).ok, false);
});

test("amounts", () => {
  assert.equal(parseAmount("1.5MiB"), 1572864);
  assert.equal(parseAmount("2ms"), 2_000_000);
  assert.equal(parseAmount("7"), 7);
  assert.ok(Number.isNaN(parseAmount("7 apples")));
});
