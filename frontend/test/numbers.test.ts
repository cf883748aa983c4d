import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
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

test("a change always shows its sign", () => {
  assert.equal(signedBytes(131072), "+128 KiB");
  assert.equal(signedBytes(-1024), "\u22121 KiB");
  assert.equal(signedBytes(0), "0 B");
});

test("one block, two blocks", () => {
  assert.equal(counted(1, "block"), "1 block");
  assert.equal(counted(30, "block"), "30 blocks");
});

type Cases = [number, string][];

const golden = JSON.parse(
  readFileSync(path.join(import.meta.dirname, "golden", "words.json"), "utf8"),
) as Record<"counts" | "about_counts" | "bytes" | "durations_ns" | "moments_ns" | "shares", Cases>;

test("numbers are said as the terminal says them", () => {
  const formats = {
    counts: grouped,
    about_counts: rounded,
    bytes,
    durations_ns: span,
    moments_ns: duration,
    shares: percent,
  };
  for (const [name, format] of Object.entries(formats)) {
    const cases = golden[name as keyof typeof formats];
    assert.ok(cases.length > 3);
    for (const [value, said] of cases) assert.equal(format(value), said, `${name} ${value}`);
  }
});
