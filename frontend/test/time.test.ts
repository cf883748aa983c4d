import assert from "node:assert/strict";
import { test } from "node:test";
import { formatRange, panRange, parseRange, within, zoomRange } from "../src/lib/range.ts";
import { lastAt } from "../src/lib/search.ts";
import { firstStep, stepAt, stepTicks } from "../src/lib/steps.ts";
import { byteTicks, decimalTicks, everyNth } from "../src/lib/ticks.ts";

const ALL = { start: 0, end: 1000 };

test("a range and its address form are the same thing; nonsense is no range", () => {
  assert.deepEqual(parseRange("10-20"), { start: 10, end: 20 });
  assert.equal(formatRange({ start: 10.4, end: 19.6 }), "10-20");
  assert.equal(parseRange("20-10"), null);
  assert.equal(parseRange("a-b"), null);
});

test("of a stretch that a link names only what the capture holds is looked at", () => {
  assert.deepEqual(within({ start: 500, end: 5000 }, ALL), { start: 500, end: 1000 });
  assert.equal(within({ start: 2000, end: 5000 }, ALL), null);
  assert.equal(within(null, ALL), null);
  assert.equal(parseRange("0-99999999999999999999"), null);
});

test("zoom keeps the point under the pointer and never leaves the bounds", () => {
  assert.deepEqual(zoomRange(ALL, 0.5, 500, ALL, 1), { start: 250, end: 750 });
  assert.deepEqual(zoomRange(ALL, 0.5, 0, ALL, 1), { start: 0, end: 500 });
  assert.deepEqual(zoomRange({ start: 0, end: 500 }, 4, 250, ALL, 1), ALL);
  assert.deepEqual(zoomRange({ start: 0, end: 10 }, 0.01, 5, ALL, 2), { start: 4, end: 6 });
});

test("panning stops at the ends with its length kept", () => {
  assert.deepEqual(panRange({ start: 100, end: 200 }, -500, ALL), { start: 0, end: 100 });
  assert.deepEqual(panRange({ start: 100, end: 200 }, 5000, ALL), { start: 900, end: 1000 });
});

const STEPS = { start_ns: [10, 30, 50], end_ns: [20, 40, 60], number: [7, 8, 9] };

test("a moment is in a step or between two", () => {
  assert.equal(stepAt(STEPS, 10), 7);
  assert.equal(stepAt(STEPS, 20), null);
  assert.equal(stepAt(STEPS, 35), 8);
  assert.equal(stepAt(STEPS, 99), null);
  assert.equal(firstStep(STEPS, 0), 0);
});

test("step labels are thinned to round numbers", () => {
  const many = Array.from({ length: 30 }, (_, n) => n);
  const steps = {
    start_ns: many.map((n) => n * 10),
    end_ns: many.map((n) => n * 10 + 9),
    number: many,
  };
  const ticks = stepTicks(steps, { start: 0, end: 300 }, 6);
  assert.deepEqual(
    ticks.map((tick) => tick.number),
    [0, 5, 10, 15, 20, 25],
  );
});

test("the last time that is not after", () => {
  assert.equal(lastAt([10, 20, 20, 30], 20), 2);
  assert.equal(lastAt([10], 9), -1);
});

test("ticks are round: powers of two for bytes, 1-2-5 for the rest", () => {
  assert.deepEqual(
    byteTicks(0, 16 * 2 ** 20, 4),
    [0, 1, 2, 3, 4].map((n) => n * 4 * 2 ** 20),
  );
  assert.deepEqual(decimalTicks(0, 100, 5), [0, 20, 40, 60, 80, 100]);
  assert.equal(everyNth(1000, 10), 100);
  assert.equal(everyNth(3, 10), 1);
});
