import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import type { FindingKind, HostReport, Report, Severity, Verdict } from "../src/api/wire.ts";
import { neighbourHref, traceHref } from "../src/host/neighbours.ts";
import { binned, survivorNote } from "../src/lib/bins.ts";
import { allFindings, leading, leadingText } from "../src/lib/merged.ts";
import { OUTCOMES } from "../src/lib/outcomes.ts";
import { oddOnes } from "../src/lib/outliers.ts";
import { cutMiddle, emphasised, frameText, isPython, siteName, upright } from "../src/lib/text.ts";
import {
  accounts,
  basis,
  findingFigure,
  findingLine,
  headline,
  kindWords,
  MARKS,
  type Mark,
  reach,
  toneOf,
} from "../src/lib/words.ts";

function golden(name: string): HostReport {
  const text = readFileSync(path.join(import.meta.dirname, "golden", name, "report.json"), "utf8");
  const report = JSON.parse(text) as Report;
  const host = report.sessions[0]?.hosts[0];
  assert.ok(host);
  return host;
}

test("a leak's headline has the rate and the steps that are left", () => {
  const memory = golden("leak").memories[0];
  assert.ok(memory);
  const { totals } = memory;
  totals.growth_bytes_per_step = 131072;
  totals.steps_to_oom = 130987;
  assert.equal(headline(memory), "Leaks 128 KiB a step. Full in about 131\u202f000 steps.");
  totals.steps_to_oom = null;
  assert.equal(headline(memory), "Leaks 128 KiB a step.");
  totals.growth_bytes_per_step = null;
  assert.equal(headline(memory), "Leaks.");
});

test("the other verdicts speak as plainly", () => {
  const clean = golden("clean").memories[0];
  const empty = golden("no_events").memories[0];
  assert.ok(clean && empty);
  assert.equal(headline(clean), "Nothing leaks.");
  assert.equal(headline(empty), "No memory events on this host.");
  assert.equal(accounts(empty), "");
  assert.equal(headline({ ...clean, verdict: "inconclusive" }), "Cannot tell yet.");
});

test("the accounts say what the difference of the two counts consists of", () => {
  const memory = golden("leak").memories[0];
  assert.ok(memory);
  Object.assign(memory.totals, {
    allocations: 420,
    deallocations: 390,
    survivor_blocks: 30,
    survivor_bytes: 3932160,
    prewindow_deallocations: 0,
    lost: 0,
    unaccounted_bytes: 0,
  });
  assert.equal(
    accounts(memory),
    "420 allocations, 390 deallocations, 30 blocks (3.75 MiB) still live; the events add up to the allocator's own total.",
  );
  memory.totals.unaccounted_bytes = 512;
  assert.match(
    accounts(memory),
    /; the allocator's own total is 512 B higher than the events tell\.$/,
  );
});

test("a finding says its kind in words, and its tone has a shape", () => {
  const host = golden("leak");
  const growth = host.memories[0]?.findings.find((one) => one.kind === "growth");
  assert.ok(growth);
  const held = growth.steps_with_survivors ?? 0;
  const steps = { ...host.steps, count: held };
  assert.match(findingLine(growth, steps), /^grows every step · /);
  assert.match(findingLine({ ...growth, pattern: "by size" }, steps), /^grows by size · /);
  assert.equal(findingFigure({ ...growth, bytes_per_step: 2048 }).value, "+2 KiB");
  assert.equal(toneOf(growth), "alarm");
  assert.equal(toneOf({ severity: "info" }), "quiet");
});

interface Told {
  outcomes: Record<string, string>;
  kinds: Record<FindingKind, string>;
  counted: Record<FindingKind, [string, string]>;
  marks: [Severity, Mark][];
  beside: { snapshots: []; modules: []; order: string[]; headline: string | null }[];
}

test("marks, kinds, nouns, order and headline are those of the terminal", () => {
  const file = path.join(import.meta.dirname, "golden", "words.json");
  const told = JSON.parse(readFileSync(file, "utf8")) as Told;
  for (const [severity, mark] of told.marks) assert.equal(MARKS[toneOf({ severity })], mark);
  for (const [kind, said] of Object.entries(told.kinds)) {
    assert.equal(kindWords(kind as FindingKind), said);
  }
  assert.deepEqual(OUTCOMES, told.outcomes);
  const host = golden("leak");
  const growth = host.memories[0]?.findings[0];
  assert.ok(growth);
  for (const [kind, [one, many]] of Object.entries(told.counted)) {
    const finding = { ...growth, kind: kind as FindingKind, bytes: 1024 };
    assert.match(findingLine({ ...finding, blocks: 1 }, host.steps), new RegExp(` · ${one}$`));
    assert.match(findingLine({ ...finding, blocks: 30 }, host.steps), new RegExp(` · ${many}$`));
  }
  for (const { snapshots, modules, order, headline: said } of told.beside) {
    const beside = {
      ...host,
      snapshots: [{ findings: snapshots }],
      modules: [{ name: "m", program_id: 1, peak_bytes: 0, findings: modules }],
    };
    const found = allFindings(undefined, beside).map((one) => one.finding.title);
    assert.deepEqual(found, order);
    const first = leading(beside);
    assert.equal(first ? leadingText(first) : null, said);
  }
});

test("versions without a known size are counted in their place", () => {
  const growth = golden("leak").memories[0]?.findings[0];
  assert.ok(growth);
  const again = { ...growth, kind: "recompilation" as const, pattern: "", blocks: 11, bytes: 0 };
  assert.deepEqual(findingFigure(again), { value: "11", unit: "versions" });
  assert.equal(findingLine(again, golden("leak").steps), "compiled again and again");
  assert.deepEqual(findingFigure({ ...again, bytes: 4096 }), { value: "4 KiB", unit: "held" });
  const vain = {
    ...again,
    kind: "missing_donation" as const,
    pattern: "donated in vain",
    bytes: 1,
  };
  assert.equal(findingFigure(vain).unit, "held");
  assert.equal(findingFigure({ ...vain, pattern: "" }).unit, "to save");
});

test("what advice names of the code stands out", () => {
  const strong = (text: string) => {
    const parts = emphasised(text);
    assert.equal(parts.map((part) => part.text).join(""), text);
    return parts.filter((part) => part.strong).map((part) => part.text);
  };
  assert.deepEqual(
    strong("Look in train_step (model.py:41) or fit (loop.py:88). Keep float(x) or x.numpy()."),
    ["train_step", "fit", "float(x)", "x.numpy()"],
  );
  assert.deepEqual(strong('Write jax.jit(f, donate_argnames=("w",)) (a closure) now.'), [
    'jax.jit(f, donate_argnames=("w",))',
  ]);
  assert.deepEqual(strong("Nothing to do."), []);
});

test("where the steps came from is said", () => {
  assert.equal(basis({ count: 30, source: "markers", first: 0, last: 29 }), "from 30 steps");
  assert.match(basis({ count: 8, source: "slices", first: 0, last: 7 }), /for want of steps/);
  assert.equal(
    basis({ count: 0, source: "none", first: null, last: null }),
    "no steps in this profile",
  );
});

test("names are cut in the middle, by whole characters", () => {
  assert.equal(cutMiddle("abcdefghij", 5), "ab…ij");
  assert.equal(cutMiddle("short", 5), "short");
  assert.equal(cutMiddle("😀😀😀😀😀😀", 3), "😀…😀");
});

test("frames of the Python tracer read as sentences; a site without a name says so", () => {
  assert.equal(frameText("$model.py:41 train_step"), "in train_step (model.py:41)");
  assert.equal(frameText("PjitFunction(f)"), "PjitFunction(f)");
  assert.ok(isPython("$model.py:41 train_step"));
  assert.ok(!isPython("$builtins len") && !isPython("Stream:1 run"));
  assert.equal(frameText("$builtins len"), "builtins len");
  assert.equal(frameText("/app/jax_cases.py:12 append"), "in append (/app/jax_cases.py:12)");
  assert.equal(siteName({ op: "", shape: "[2]", dtype: "f32" }), "unknown origin [2] f32");
});

test("many steps share bars, and the tallest of them is shown", () => {
  const bins = binned([1, 5, 0, 0, 2], 2);
  assert.deepEqual(bins, [
    { from: 0, to: 2, height: 5 },
    { from: 3, to: 4, height: 2 },
  ]);
  assert.equal(survivorNote([1, 1, 1]), "1 in each of 3");
  assert.equal(survivorNote([2, 0, 3]), "2 to 3 in 2 of 3");
  assert.equal(survivorNote([0, 0]), "none");
  const many = Array.from({ length: 300_000 }, () => 1);
  assert.equal(survivorNote(many), "1 in each of 300\u202f000");
  assert.equal(binned(many, 160).length, 160);
});

test("the range of a forecast is told, and what of it is expected", () => {
  const [memory] = golden("leak").memories;
  assert.ok(memory);
  const told = (low: number | null, high: number | null, expected = false) => {
    const [finding] = memory.findings;
    assert.ok(finding);
    const set = { ...finding, expected: "a cache", bytes_per_step: 2048 };
    return reach({
      ...memory,
      findings: expected ? [finding, set] : [finding],
      totals: {
        ...memory.totals,
        steps_to_oom: 1000,
        steps_to_oom_low: low,
        steps_to_oom_high: high,
      },
    });
  };
  assert.equal(told(500, 2000), "Full after 500 to 2\u202f000 steps.");
  assert.equal(told(500, null), "Full after 500 steps at the soonest.");
  assert.equal(told(1000, 1000), "");
  assert.equal(told(null, null), "");
  assert.equal(told(1000, 1000, true), "That counts the 2 KiB a step that are expected.");
});

test("a link to a neighbour carries run and host encoded in the query, and its tab in the hash", () => {
  assert.equal(
    neighbourHref("memory_profile", "tf/2026 1", "a#b", {}, "/tb/"),
    "/tb/?tool=memory_profile&run=tf%2F2026%201&host=a%23b#profile",
  );
});

test("a link to the trace carries the stretch in milliseconds, and the trace's own address", () => {
  const href = traceHref("tf/2026 1", "a#b", { start: 3_000_500, end: 5_000_000 }, "/tb/");
  const link = new URL(href, "http://localhost");
  assert.equal(link.pathname, "/tb/data/plugin/profile/trace_viewer_index.html");
  assert.equal(link.searchParams.get("view_start"), "3.0005");
  assert.equal(link.searchParams.get("view_end"), "5");
  const data = new URL(link.searchParams.get("trace_data_url") ?? "", "http://localhost");
  assert.equal(data.pathname, "/tb/data/plugin/profile/data");
  assert.deepEqual(Object.fromEntries(data.searchParams), {
    run: "tf/2026 1",
    tag: "trace_viewer@",
    host: "a#b",
  });
});

test("the odd one out differs from most of its peers", () => {
  const peer = (verdict: Verdict, rate = 0) => ({ verdict, rate });
  const clean = peer("no_leak");
  assert.deepEqual(oddOnes([clean, clean, peer("leak", 512), clean]), [false, false, true, false]);
  assert.deepEqual(oddOnes([clean, peer("leak", 512)]), [false, false]);
  const leaks = [100, 101, 99, 900].map((rate) => peer("leak", rate));
  assert.deepEqual(oddOnes(leaks), [false, false, false, true]);
  const halves = [clean, clean, peer("leak", 1), peer("leak", 1)];
  assert.deepEqual(oddOnes(halves), [false, false, false, false]);
});

test("marks that turn text around are written out", () => {
  assert.equal(upright("abc\u202e live"), "abc\\u202e live");
  assert.equal(upright("\u2066x\u2069"), "\\u2066x\\u2069");
  assert.equal(upright("שלום"), "שלום");
});

test("what snapshots hold more is called more", () => {
  const [growth] = golden("leak").memories[0]?.findings ?? [];
  assert.ok(growth);
  const grown = { ...growth, kind: "snapshot_growth" as FindingKind, bytes: 4096 };
  assert.deepEqual(findingFigure(grown), { value: "4 KiB", unit: "more" });
});
