import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { handedText } from "../src/lib/bins.ts";
import { chosenOf, rechosen } from "../src/lib/chosen.ts";
import { addressAt, offsetOf } from "../src/lib/compact.ts";
import { lumpText } from "../src/lib/lump.ts";
import { isLeak, LEAKS, shadesOf } from "../src/lib/shades.ts";
import { runsOf, wrapping } from "../src/lib/wrapped.ts";

const row = (
  index: number,
  kind: "growth" | "retained" | null,
  rate: number | null,
  peak: number,
) => ({
  index,
  kind,
  bytes_per_step: rate,
  peak_live_bytes: peak,
});

test("each of the worst leaks has a shade of its own, by rate; others keep their rank", () => {
  const shades = shadesOf([
    row(0, null, null, 900),
    row(1, "growth", 64, 100),
    row(2, "retained", null, 10),
    row(3, "growth", 128, 50),
    row(4, "growth", 32, 5),
    row(5, "growth", 16, 5),
  ]);
  assert.deepEqual(
    [3, 1, 4, 5].map((index) => shades.get(index)),
    ["alarm", "alarm-1", "alarm-2", "alarm-2"],
  );
  assert.deepEqual(
    [2, 0].map((index) => shades.get(index)),
    [0, 1],
  );
  assert.ok(isLeak(shades.get(3)));
  assert.ok(!isLeak(shades.get(0)));
});

type Rgb = readonly [number, number, number];

const TOKENS = readFileSync(path.join(import.meta.dirname, "../src/styles/tokens.css"), "utf8");
const [LIGHT = "", DARK = ""] = TOKENS.split(':root[data-theme="dark"]');

function token(theme: string, name: string): Rgb {
  const hex = new RegExp(`--${name}: #([0-9a-f]{6});`).exec(theme)?.[1] ?? "";
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return [part(0), part(2), part(4)];
}

const linear = (value: number) =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
const mixed = (over: Rgb, under: Rgb, share: number) =>
  over.map((value, i) => value * share + (under[i] ?? 0) * (1 - share)) as unknown as Rgb;

function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map(linear) as unknown as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: Rgb, b: Rgb): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** What the three kinds of colour blindness see of linear RGB (Machado, Oliveira, Fernandes 2009). */
const EYES: Record<string, readonly Rgb[]> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** OKLab: equal distances look about equally different; 0.02 is just seen. */
function lab(colour: Rgb, eye: readonly Rgb[]): Rgb {
  const light = colour.map(linear);
  const dot = (weights: Rgb, of: readonly number[]) =>
    weights.reduce((sum, weight, i) => sum + weight * (of[i] ?? 0), 0);
  const seen = eye.map((weights) => Math.min(1, Math.max(0, dot(weights, light))));
  const cones = [
    dot([0.4122214708, 0.5363325363, 0.0514459929], seen),
    dot([0.2119034982, 0.6806995451, 0.1073969566], seen),
    dot([0.0883024619, 0.2817188376, 0.6299787005], seen),
  ].map(Math.cbrt);
  return [
    dot([0.2104542553, 0.793617785, -0.0040720468], cones),
    dot([1.9779984951, -2.428592205, 0.4505937099], cones),
    dot([0.0259040371, 0.7827717662, -0.808675766], cones),
  ];
}

function apart(a: Rgb, b: Rgb, eye: readonly Rgb[]): number {
  const [from, to] = [lab(a, eye), lab(b, eye)];
  return Math.hypot(...from.map((value, i) => value - (to[i] ?? 0)));
}

const TINT = 0.42;

for (const [name, theme] of [
  ["light", LIGHT],
  ["dark", DARK],
] as const) {
  const ground = token(theme, "ground");
  const text = token(theme, "text");
  const leaks = LEAKS.map((one) => token(theme, one));

  test(`names on leaks can be read, ${name}`, () => {
    for (const leak of leaks) assert.ok(contrast(text, mixed(leak, ground, TINT)) >= 4.5);
  });

  test(`leaks are told apart by every eye, filled and tinted, ${name}`, () => {
    for (const [kind, eye] of Object.entries(EYES)) {
      for (const [i, a] of leaks.entries()) {
        for (const [j, b] of leaks.slice(i + 1).entries()) {
          const pair = `${kind}: ${i} and ${i + j + 1}`;
          assert.ok(apart(a, b, eye) >= 0.1, pair);
          assert.ok(apart(mixed(a, ground, TINT), mixed(b, ground, TINT), eye) >= 0.045, pair);
        }
      }
    }
  });

  test(`the ramp goes ever further from the ground, ${name}`, () => {
    const steps = Array.from({ length: 7 }, (_, n) => contrast(ground, token(theme, `ramp-${n}`)));
    for (const [n, step] of steps.entries())
      assert.ok(n === 0 || step > (steps[n - 1] ?? 0) * 1.15);
  });
}

test("a place on the compact axis and its address are the same thing", () => {
  const regions = [
    { address: "0x7fdf4ca9b040", offset: 0, size_bytes: 256 },
    { address: "0xffffffffff000000", offset: 256, size_bytes: 4096 },
  ];
  assert.equal(offsetOf(regions, "0xffffffffff000010"), 272);
  assert.equal(addressAt(regions, 272), "0xffffffffff000010");
  assert.equal(offsetOf(regions, "0x10"), null);
});

test("an extent is wrapped into rows and covers its share of each", () => {
  assert.deepEqual(wrapping(1000, 10, 8), { rows: 1, each: 1000 });
  const rows = wrapping(1000, 600, 4);
  assert.deepEqual(rows, { rows: 4, each: 250 });
  assert.deepEqual(runsOf(rows, 200, 350), [
    { row: 0, left: 0.8, right: 1 },
    { row: 1, left: 0, right: 1 },
    { row: 2, left: 0, right: 0.20000000000000018 },
  ]);
  assert.deepEqual(runsOf(rows, 750, 250), [{ row: 3, left: 0, right: 1 }]);
});

test("what steps hand on is never summed", () => {
  assert.equal(handedText({ from: 0, to: 0, height: 1024 }, [6, 7]), "step 6: 1 KiB");
  assert.equal(handedText({ from: 0, to: 1, height: 2048 }, [6, 7]), "steps 6 to 7: at most 2 KiB");
});

test("sites are chosen by the address, else by the finding with all its parts", () => {
  const rows = [
    { index: 0, finding: "f1.1" },
    { index: 1, finding: null },
    { index: 2, finding: "f1.2" },
    { index: 3, finding: "f11" },
  ];
  assert.deepEqual(chosenOf("", "f1", rows), [0, 2]);
  assert.deepEqual(chosenOf("3,1,3", "f1", rows), [3, 1]);
  assert.deepEqual(chosenOf("1;2", "", rows), []);
});

test("choosing replaces, and with toggle turns single ones over", () => {
  assert.deepEqual(rechosen([1, 2], [3], false), [3]);
  assert.deepEqual(rechosen([1, 2], [3], true), [1, 2, 3]);
  assert.deepEqual(rechosen([1, 2], [1], true), [2]);
});

test("blocks of several sites under a pixel are not said to be from before the window", () => {
  const nameOf = (site: number) => (site < 0 ? "from before the window" : "Relu");
  assert.equal(lumpText(-1, 3, "freed", nameOf), "3 blocks of several sites");
  assert.equal(lumpText(-1, 3, null, nameOf), "3 blocks of several sites");
  assert.equal(lumpText(-1, 3, "pre-window", nameOf), "3 blocks from before the window");
  assert.equal(lumpText(-1, 1, "pre-window", nameOf), "from before the window");
  assert.equal(lumpText(0, 3, "freed", nameOf), "3 blocks of Relu");
  assert.equal(lumpText(0, 1, "freed", nameOf), "Relu");
});
