import assert from "node:assert/strict";
import { test } from "node:test";
import type { SitesPayload } from "../src/api/wire.ts";
import { compareSites } from "../src/lib/compare.ts";

type Row = { op: string; live: number; rate?: number; frame?: string };

function sites(...rows: Row[]): SitesPayload {
  const none = rows.map(() => 0);
  const empty = rows.map(() => "");
  return {
    total: rows.length,
    columns: {
      index: rows.map((_, i) => i),
      op: rows.map((row) => row.op),
      shape: empty,
      dtype: empty,
      region: empty,
      source: empty,
      thread: empty,
      stack: rows.map((row) => (row.frame ? [row.frame] : [])),
      allocations: none,
      deallocations: none,
      survivors: rows.map(() => 1),
      survivor_bytes: rows.map((row) => row.live),
      survivor_requested_bytes: none,
      allocated_bytes: none,
      peak_live_bytes: none,
      bytes_per_step: rows.map((row) => row.rate ?? null),
      kind: rows.map(() => null),
      finding: rows.map(() => null),
    },
  };
}

test("sites of one name are matched; what one side lacks is absent there", () => {
  const before = sites({ op: "Relu", live: 100, rate: 10 }, { op: "Old", live: 5 });
  const after = sites({ op: "Relu", live: 40 }, { op: "New", live: 7 });
  const pairs = new Map(compareSites(before, after).map((pair) => [pair.op, pair]));
  assert.deepEqual(pairs.get("Relu")?.before, { at: 0, rate: 10, live: 100, blocks: 1 });
  assert.deepEqual(pairs.get("Relu")?.after, { at: 0, rate: 0, live: 40, blocks: 1 });
  assert.equal(pairs.get("Old")?.after, null);
  assert.equal(pairs.get("New")?.before, null);
});

test("sites without an op are told apart by their innermost frame", () => {
  const before = sites({ op: "", live: 1, frame: "f" }, { op: "", live: 2, frame: "g" });
  const lives = compareSites(before, sites({ op: "", live: 9, frame: "g" })).map((pair) => [
    pair.before?.live ?? null,
    pair.after?.live ?? null,
  ]);
  assert.deepEqual(lives, [
    [2, 9],
    [1, null],
  ]);
});
