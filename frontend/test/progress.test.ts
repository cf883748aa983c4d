import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProgressPayload } from "../src/api/wire.ts";
import { amountText, spokenText, workText } from "../src/lib/progress.ts";

const GIB = 2 ** 30;
const at = (phase: ProgressPayload["phase"], done: number, total: number | null) => ({
  phase,
  done,
  total,
});

test("bytes are told as a share and as amounts, the unit once", () => {
  assert.equal(amountText(at("reading", 1.3 * GIB, 2.1 * GIB)), "62 %, 1.3 of 2.1 GiB");
  assert.equal(amountText(at("fetching", 2 ** 20, 2 * GIB)), "< 1 %, 1 MiB of 2 GiB");
});

test("a share is all only where all is done", () => {
  assert.match(amountText(at("reading", GIB - 1, GIB)), /^> 99 %/);
  assert.match(amountText(at("reading", GIB, GIB)), /^100 %/);
});

test("other phases count their own things, or nothing", () => {
  assert.equal(amountText(at("analysing", 1, 2)), "1 of 2");
  assert.equal(amountText(at("programs", 12, 1400)), "12 of 1\u202f400");
  assert.equal(amountText(at("naming", 0, null)), "");
});

test("what goes on is said of the host", () => {
  assert.equal(workText(at("programs", 0, 1), "host0"), "Reading the programs of host0");
  const later = "polishing" as ProgressPayload["phase"];
  assert.equal(workText(at(later, 0, 1), "host0"), "Reading host0");
});

test("a voice is told of quarters alone", () => {
  const said = [0, 24, 25, 74, 99, 100].map((done) => spokenText(at("reading", done, 100), "h"));
  assert.deepEqual(
    [...new Set(said)],
    ["Reading h: 0 %", "Reading h: 25 %", "Reading h: 50 %", "Reading h: 75 %", "Reading h: 100 %"],
  );
  assert.equal(spokenText(at("naming", 0, null), "h"), "Naming the sites of h");
});
