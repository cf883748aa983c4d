import assert from "node:assert/strict";
import { test } from "node:test";
import { formatHash, parseHash } from "../src/lib/hash.ts";

test("our fields are read from TensorBoard's hash, others are not", () => {
  const hash = "leak_finder&p.leak_finder.session=a%2Fb%20c&p.other.session=x&tagFilter=loss";
  assert.deepEqual(parseHash(hash), { session: "a/b c" });
});

test("a value may hold anything: it comes back as it was", () => {
  const fields = { host: "a b#c%d+e=&?/\u{1f600}", filter: 'op:"x y"' };
  assert.deepEqual(parseHash(formatHash("leak_finder", fields)), fields);
});

test("no written token has a raw equals sign in its value, or TensorBoard drops it", () => {
  const written = formatHash("leak_finder", { filter: "size=3" });
  assert.equal(written, "leak_finder&p.leak_finder.filter=size%3D3");
});

test("tokens of others keep their order; ours replace ours; empty values go", () => {
  const before = "leak_finder&x=1&p.leak_finder.zoom=1-2&p.leak_finder.host=h&y=2";
  assert.equal(
    formatHash(before, { host: "g", zoom: "" }),
    "leak_finder&x=1&y=2&p.leak_finder.host=g",
  );
});

test("an empty hash gets our name, so that the link opens our tab", () => {
  assert.equal(formatHash("", { view: "blocks" }), "leak_finder&p.leak_finder.view=blocks");
});

test("broken percent-encoding stands for itself", () => {
  assert.deepEqual(parseHash("p.leak_finder.host=100%"), { host: "100%" });
});
