import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

const STATIC = path.join(import.meta.dirname, "../../tensorboard_memleak/static");
const FIRST_PAINT_BYTES = 40_000;
const WHOLE_BUNDLE_BYTES = 80_000;

const zipped = (name: string) => gzipSync(readFileSync(path.join(STATIC, name))).length;

/** What `name` imports before it runs, itself included. */
function eager(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  const text = readFileSync(path.join(STATIC, name), "utf8");
  for (const [, target] of text.matchAll(/(?:from|import)\s*"(\.[^"]+)"/g)) {
    eager(path.join(path.dirname(name), target ?? ""), seen);
  }
  return seen;
}

test("the first paint transfers at most 40 kB", () => {
  const size = [...eager("index.js")].reduce((sum, name) => sum + zipped(name), 0);
  assert.ok(size <= FIRST_PAINT_BYTES, `${size} bytes`);
});

test("the whole bundle is at most 80 kB", () => {
  const names = readdirSync(STATIC, { recursive: true }).map(String);
  const files = names.filter((name) => /\.\w+$/.test(name));
  const size = files.reduce((sum, name) => sum + zipped(name), 0);
  assert.ok(size <= WHOLE_BUNDLE_BYTES, `${size} bytes`);
});

test("the bundle asks nothing of other hosts and evaluates no text", () => {
  for (const name of readdirSync(STATIC, { recursive: true }).map(String)) {
    if (!name.endsWith(".js")) continue;
    const text = readFileSync(path.join(STATIC, name), "utf8");
    const addresses = text.match(/https?:\/\/[\w./-]+/g) ?? [];
    assert.deepEqual(
      addresses.filter((one) => !one.includes("www.w3.org")),
      [],
    );
    assert.ok(!/\beval\(|new Function\(/.test(text), `${name} evaluates text`);
  }
});

test("names from a profile are text: no source writes HTML", () => {
  const source = path.join(import.meta.dirname, "../src");
  for (const name of readdirSync(source, { recursive: true }).map(String)) {
    if (!/\.tsx?$/.test(name)) continue;
    const text = readFileSync(path.join(source, name), "utf8");
    assert.ok(!/innerHTML|outerHTML|insertAdjacentHTML|document\.write/i.test(text), name);
  }
});
