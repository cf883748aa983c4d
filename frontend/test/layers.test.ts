import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const SOURCE = path.join(import.meta.dirname, "../src");
/** From the inside outwards; types may be named from anywhere, code only from further in. */
const LAYERS = ["lib", "api", "host", "state", "charts", "ui", "views"];
const LONGEST = 400;

const files = readdirSync(SOURCE, { recursive: true })
  .map(String)
  .filter((name) => /\.tsx?$/.test(name));
const textOf = (name: string) => readFileSync(path.join(SOURCE, name), "utf8");

test("code is imported from further in, never from further out", () => {
  for (const name of files) {
    const layer = LAYERS.indexOf(name.split(path.sep)[0] ?? "");
    if (layer < 0) continue;
    const imports = textOf(name).matchAll(/^import (?!type)[^;]*? from "\.\.\/(\w+)\//gm);
    for (const [line, target = ""] of imports) {
      const onlyTypes = /^import \{(\s*type [\w, ]+,?)+\s*\} from/.test(line);
      if (onlyTypes) continue;
      assert.ok(LAYERS.indexOf(target) <= layer, `${name}: ${line}`);
    }
  }
});

test("pure functions know no document and no window", () => {
  for (const name of files.filter((one) => one.startsWith("lib"))) {
    assert.doesNotMatch(textOf(name), /\b(document|window)\./, name);
  }
});

test("only host reaches into the window around us", () => {
  for (const name of files.filter((one) => !one.startsWith("host"))) {
    assert.doesNotMatch(textOf(name), /window\.(parent|top|frameElement)/, name);
  }
});

test("a module holds one idea", () => {
  for (const name of files) assert.ok(textOf(name).split("\n").length <= LONGEST, name);
});
