import assert from "node:assert/strict";
import { test } from "node:test";
import type { FlamePayload } from "../src/api/frames.ts";
import { squarifyGroups } from "../src/lib/squarify.ts";
import { endings, findPath, flameBars, heldBy, lineTo, ownOf, treeOf } from "../src/lib/tree.ts";

/** train 100 (f 60: site 0 ends there with 50, Relu 10 of site 1; g 40, of site 1), and the op "g" beside the scope "g". */
const PAYLOAD: FlamePayload = {
  of: "survivors",
  by: "stack",
  ranked_by: "bytes",
  at_ns: null,
  baseline_bytes: 0,
  note: null,
  nodes: 6,
  left_out: 0,
  frames: ["", "train", "f", "g", "Relu"],
  columns: {
    parent: [null, 0, 1, 1, 2, 1],
    frame: [0, 1, 2, 3, 4, 3],
    site: [null, null, 0, 1, 1, 2],
    blocks: [9, 9, 6, 2, 1, 1],
    bytes: [107, 107, 60, 40, 10, 7],
    byte_seconds: [1, 1, 0.5, 0.3, 0.2, 0.2],
  },
};
const root = treeOf(PAYLOAD, "all");

test("columns become a tree, each node below its parent", () => {
  assert.equal(root.name, "all");
  const train = root.children[0];
  assert.deepEqual(
    train?.children.map((node) => [node.name, node.value, node.depth]),
    [
      ["f", 60, 2],
      ["g", 40, 2],
      ["g", 7, 2],
    ],
  );
  const f = train?.children[0] ?? root;
  assert.equal(
    ownOf(f, (node) => node.value),
    50,
  );
  assert.equal(
    ownOf(f, (node) => node.blocks),
    5,
  );
  assert.equal(treeOf({ ...PAYLOAD, ranked_by: "byte_seconds" }, "all").value, 1);
});

test("siblings of one name have keys of their own, and a path finds each of them", () => {
  for (const node of root.children[0]?.children ?? []) {
    const path = lineTo(node).map((one) => one.key);
    assert.equal(findPath(root, path), node);
  }
  assert.equal(findPath(root, ["train", "nowhere"]), null);
  assert.equal(findPath(root, []), root);
});

test("what is thinner than a pixel is one bar with the sum of its parts", () => {
  const bars = flameBars(root, 0.5);
  assert.deepEqual(
    bars.map(({ node, count, value, row }) => [node.name, count, value, row]),
    [
      ["all", 1, 107, 0],
      ["train", 1, 107, 1],
      ["g", 2, 47, 2],
      ["f", 1, 60, 2],
      ["Relu", 1, 10, 3],
    ],
  );
  const tail = bars.find((bar) => bar.count === 2);
  assert.ok(Math.abs((tail?.left ?? 0) - 60 / 107) < 1e-9);
});

test("zoomed, the frames above stay in sight over the whole width", () => {
  const f = findPath(root, ["train", "f"]);
  assert.ok(f);
  const bars = flameBars(f, 0.01);
  assert.deepEqual(
    bars.map(({ node, width }) => [node.name, Math.round(width * 60)]),
    [
      ["train", 60],
      ["all", 60],
      ["f", 60],
      ["Relu", 10],
    ],
  );
});

test("sites are told apart by the frames where their paths part, and add up", () => {
  const found = endings(root).map(({ group, site, value }) => [group.name, site, value]);
  assert.deepEqual(found, [
    ["f", 0, 50],
    ["f", 1, 10],
    ["g", 1, 40],
    ["g", 2, 7],
  ]);
});

test("what was not sent is told beside the sites", () => {
  const columns = { ...PAYLOAD.columns, bytes: [127, 120, 60, 40, 10, 7] };
  const found = endings(treeOf({ ...PAYLOAD, left_out: 3, columns }, "all"));
  assert.deepEqual(
    found.map(({ group, site, value }) => [group.name, site, value]),
    [
      ["train", 0, 50],
      ["train", 1, 50],
      ["train", 2, 7],
      ["train", null, 13],
      ["all", null, 7],
    ],
  );
});

test("what a search finds is counted once, below the frames that match", () => {
  assert.equal(
    heldBy(root, (node) => node.name === "f" || node.name === "Relu"),
    60,
  );
  assert.equal(
    heldBy(root, (node) => node.name === "g"),
    47,
  );
  assert.equal(
    heldBy(root, () => false),
    0,
  );
});

test("groups fill the box and hold their parts", () => {
  const box = { x: 0, y: 0, width: 400, height: 200 };
  const { boxes, heads } = squarifyGroups([[50, 10], [40]], box);
  assert.equal(boxes.length, 3);
  assert.ok(heads.every((head) => head?.height === 16));
  const alone = squarifyGroups([[50, 10]], box);
  assert.deepEqual(alone.heads, [null]);
  const area = alone.boxes.reduce((sum, one) => sum + one.width * one.height, 0);
  assert.ok(Math.abs(area - 400 * 200) < 1);
});
