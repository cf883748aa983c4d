import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bytes,
  counted,
  duration,
  exactBytes,
  grouped,
  percent,
  rounded,
  signedBytes,
  span,
} from "../src/lib/numbers.ts";

const N = "\u202f";

test("thousands are grouped by a narrow space that does not break", () => {
  assert.equal(grouped(1234567), `1${N}234${N}567`);
  assert.equal(grouped(999), "999");
  assert.equal(grouped(-1234), `\u22121${N}234`);
  assert.equal(grouped(-0.2), "0");
});

test("unknown is a question mark, never a number", () => {
  for (const format of [grouped, bytes, exactBytes, duration, percent, rounded]) {
    assert.equal(format(null), "?");
    assert.equal(format(Number.NaN), "?");
  }
});

test("bytes take the largest binary unit with a whole part, at three figures", () => {
  assert.equal(bytes(0), "0 B");
  assert.equal(bytes(1023), `1${N}023 B`);
  assert.equal(bytes(1024), "1 KiB");
  assert.equal(bytes(131072), "128 KiB");
  assert.equal(bytes(1536), "1.5 KiB");
  assert.equal(bytes(3.75 * 2 ** 20), "3.75 MiB");
  assert.equal(bytes(16 * 2 ** 30), "16 GiB");
  assert.equal(bytes(2 ** 20 - 1), "1 MiB");
  assert.equal(bytes(-2048), "\u22122 KiB");
  assert.equal(bytes(2 ** 60), `1${N}024 PiB`);
});

test("a change always shows its sign", () => {
  assert.equal(signedBytes(131072), "+128 KiB");
  assert.equal(signedBytes(-1024), "\u22121 KiB");
  assert.equal(signedBytes(0), "0 B");
});

test("durations take the unit that fits", () => {
  assert.equal(duration(0), "0");
  assert.equal(duration(120), "120 ns");
  assert.equal(duration(12_345), "12.3 µs");
  assert.equal(duration(2_280_000), "2.28 ms");
  assert.equal(duration(3e9), "3 s");
});

test("a percentage never rounds up to certainty, nor down to nothing", () => {
  assert.equal(percent(0.99), "99 %");
  assert.equal(percent(0.999), "> 99 %");
  assert.equal(percent(1), "100 %");
  assert.equal(percent(0.004), "< 1 %");
  assert.equal(percent(0), "0 %");
});

test("about so many keeps three leading figures", () => {
  assert.equal(rounded(130987), `131${N}000`);
  assert.equal(rounded(512), "512");
});

test("one block, two blocks", () => {
  assert.equal(counted(1, "block"), "1 block");
  assert.equal(counted(30, "block"), "30 blocks");
});

test("long times are said in their two largest units", () => {
  assert.equal(span(63 * 60e9), "1 h 3 min");
  assert.equal(span(2 * 86_400e9), "2 d");
  assert.equal(span(90e9), "1 min");
  assert.equal(span(12e9), "12 s");
});
