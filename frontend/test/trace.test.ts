import assert from "node:assert/strict";
import { test } from "node:test";
import type { TimelinePayload } from "../src/api/wire.ts";
import { timelineLines } from "../src/charts/timelineLines.ts";
import { highest, trace } from "../src/lib/trace.ts";

const LINE = { times: [0, 10, 20], values: [4, 8, 2] };

test("memory holds each value until the next, the last one to the end", () => {
  assert.deepEqual(trace(LINE, { start: 0, end: 30 }), [
    [
      [0, 4],
      [10, 4],
      [10, 8],
      [20, 8],
      [20, 2],
      [30, 2],
    ],
  ]);
});

test("a stretch between two events shows the value that holds there", () => {
  assert.deepEqual(trace(LINE, { start: 12, end: 15 }), [
    [
      [12, 8],
      [15, 8],
    ],
  ]);
  assert.deepEqual(trace(LINE, { start: 40, end: 50 }), [
    [
      [40, 2],
      [50, 2],
    ],
  ]);
});

test("sampled points are joined, and cut where the line passes the edges", () => {
  assert.deepEqual(trace(LINE, { start: 5, end: 15 }, true), [
    [
      [5, 6],
      [10, 8],
      [15, 5],
    ],
  ]);
  assert.deepEqual(trace(LINE, { start: 12, end: 15 }, true), [
    [
      [12, 6.8],
      [15, 5],
    ],
  ]);
  assert.deepEqual(trace(LINE, { start: 25, end: 30 }, true), []);
});

test("what is not known breaks the line", () => {
  const line = { times: [0, 10, 20, 30], values: [1, null, 3, 4] };
  assert.deepEqual(trace(line, { start: 0, end: 30 }), [
    [
      [0, 1],
      [10, 1],
    ],
    [
      [20, 3],
      [30, 3],
      [30, 4],
      [30, 4],
    ],
  ]);
  assert.deepEqual(trace(line, { start: 0, end: 30 }, true), [
    [
      [20, 3],
      [30, 4],
    ],
  ]);
});

test("a spike among hundreds of points stays, at its own time", () => {
  const times = Array.from({ length: 1001 }, (_, i) => i);
  const values = times.map((time) => (time === 333 ? 0.9 : 0.1));
  const { times: kept, values: shares } = highest({ times, values }, 10);
  assert.equal(shares[kept.indexOf(333)], 0.9);
  assert.equal(kept.length, 11);
});

function payload(change: Partial<TimelinePayload>): TimelinePayload {
  return {
    memory_id: 0,
    start_ns: 0,
    end_ns: 100,
    events: 2,
    points: 2,
    sampled: false,
    columns: {
      time_ns: [20, 60],
      stack_bytes: [1, 1],
      heap_bytes: [10, 30],
      free_bytes: [90, 70],
      fragmentation: [0, 0.5],
    },
    steps: { source: null, count: 0, merged: false, start_ns: [], end_ns: [], number: [] },
    growth: null,
    peak: { time_ns: 60, bytes: 31 },
    ...change,
  } as TimelinePayload;
}

test("heap stands on the stack; the baseline holds before the first event, the last value after", () => {
  const lines = timelineLines(payload({}), 7);
  assert.deepEqual(lines.top, { times: [0, 20, 60, 100], values: [7, 11, 31, 31] });
  assert.deepEqual(lines.stack.values, [null, 1, 1, 1]);
  assert.equal(lines.most, 31);
  assert.equal(lines.joined, false);
});

test("no baseline, no line before the first event", () => {
  assert.deepEqual(timelineLines(payload({}), null).top.times, [20, 60, 100]);
});
