import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { KEYS, moved } from "../src/lib/keys.ts";

test("a new session forgets what was chosen inside of the old one", () => {
  const before = { session: "a", host: "h", finding: "f1", zoom: "1-2", view: "timeline" };
  assert.deepEqual(moved(before, { session: "b" }), { session: "b", view: "timeline" });
});

test("what the same move names stays", () => {
  const before = { session: "a", host: "h", memory: "m", site: "3" };
  const after = moved(before, { session: "b", host: "g", memory: "n" });
  assert.deepEqual(after, { session: "b", host: "g", memory: "n" });
});

test("choosing again what is chosen forgets nothing; an empty value takes its key away", () => {
  const before = { session: "a", zoom: "1-2", filter: "x" };
  assert.deepEqual(moved(before, { session: "a" }), before);
  assert.deepEqual(moved(before, { filter: "" }), { session: "a", zoom: "1-2" });
});

test("another view starts with its own sort and filter", () => {
  const before = { view: "timeline", sort: "-bytes", filter: "x", zoom: "1-2" };
  assert.deepEqual(moved(before, { view: "" }), { zoom: "1-2" });
});

test("every key of the address is documented", () => {
  const page = readFileSync(path.join(import.meta.dirname, "../../docs/page.md"), "utf8");
  const told = new Set([...page.matchAll(/`([a-z_]+)`/g)].map((match) => match[1]));
  assert.deepEqual(
    KEYS.filter((key) => !told.has(key)),
    [],
  );
});
