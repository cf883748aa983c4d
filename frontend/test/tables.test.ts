import assert from "node:assert/strict";
import { test } from "node:test";
import { rowsOf } from "../src/lib/columns.ts";
import { toCsv, toJson, toTabs } from "../src/lib/csv.ts";
import { formatSort, parseSort, sortedIndex } from "../src/lib/sort.ts";
import { type Column, fitting } from "../src/ui/columns.ts";

test("columns become rows", () => {
  assert.deepEqual(rowsOf({ a: [1, 2], b: ["x", "y"] }), [
    { a: 1, b: "x" },
    { a: 2, b: "y" },
  ]);
});

test("sorting keeps equal rows in order and unknown last, both ways", () => {
  const rows = [{ v: 2 }, { v: null }, { v: 1 }, { v: 2 }];
  assert.deepEqual([...sortedIndex(rows, (row) => row.v, false)], [2, 0, 3, 1]);
  assert.deepEqual([...sortedIndex(rows, (row) => row.v, true)], [0, 3, 2, 1]);
});

test("a sort and its address form are the same thing", () => {
  assert.deepEqual(parseSort("-live"), { key: "live", descending: true });
  assert.equal(formatSort({ key: "live", descending: false }), "live");
  assert.equal(parseSort("<script>"), null);
});

test("CSV quotes what it must and defuses formulas", () => {
  const text = toCsv(
    ["op", "n"],
    [
      ["a,b", 1],
      ['say "x"', null],
      ["=1+1", -2],
    ],
  );
  assert.equal(text, 'op,n\r\n"a,b",1\r\n"say ""x""",\r\n\'=1+1,-2\r\n');
});

test("JSON has one object a row; pasted text has no stray tabs", () => {
  assert.deepEqual(
    JSON.parse(
      toJson(
        ["op", "n"],
        [
          ["a", 1],
          ["b", null],
        ],
      ),
    ),
    [
      { op: "a", n: 1 },
      { op: "b", n: null },
    ],
  );
  assert.equal(toTabs(["op"], [["a\tb\nc"]]), "op\na b c");
});

test("columns that can be spared go first when the table is narrow", () => {
  const column = (key: string, spare?: number): Column<number> => ({
    key,
    title: key,
    width: 100,
    ...(spare === undefined ? {} : { spare }),
    value: (row) => row,
    show: (row) => row,
  });
  const columns = [column("name"), column("a", 2), column("b", 1), column("c")];
  const keys = (width: number) => fitting(columns, width).map((one) => one.key);
  assert.deepEqual(keys(464), ["name", "a", "b", "c"]);
  assert.deepEqual(keys(463), ["name", "b", "c"]);
  assert.deepEqual(keys(10), ["name", "c"]);
});
