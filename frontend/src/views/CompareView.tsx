/** Compare: this memory after, another one before. Did the fix work? */
import { useMemo } from "preact/hooks";
import { address } from "../api/client.ts";
import type { MemoryReport, Report, SitesPayload } from "../api/wire.ts";
import { compareSites, type Pair, type Side } from "../lib/compare.ts";
import { bytes } from "../lib/numbers.ts";
import { siteName } from "../lib/text.ts";
import { headline, VERDICT_WORDS } from "../lib/words.ts";
import { byUrgency, session, sessions, sites } from "../state/data.ts";
import { at, go } from "../state/place.ts";
import { useResource } from "../state/resource.ts";
import { changes, names, sizes } from "../ui/cells.tsx";
import type { Column } from "../ui/columns.ts";
import { Picker } from "../ui/Picker.tsx";
import { Loading, Trouble } from "../ui/Trouble.tsx";
import { PlacedTable } from "./PlacedTable.tsx";

const change = (pair: Pair, of: (side: Side) => number) =>
  (pair.after ? of(pair.after) : 0) - (pair.before ? of(pair.before) : 0);

const COLUMNS: readonly Column<Pair>[] = [
  names("site", "Site", siteName),
  sizes("rate_before", "A step before", (pair) => pair.before?.rate ?? 0),
  sizes("rate_after", "A step now", (pair) => pair.after?.rate ?? 0),
  changes("rate_change", "Change", (pair) => change(pair, (one) => one.rate)),
  sizes("live_before", "Live before", (pair) => pair.before?.live ?? 0, { spare: 2 }),
  sizes("live_after", "Live now", (pair) => pair.after?.live ?? 0, { spare: 2 }),
  changes("live_change", "Change", (pair) => change(pair, (one) => one.live), { spare: 1 }),
];

function Standing({ title, memory }: { title: string; memory: MemoryReport }) {
  return (
    <div>
      <dt class="label">{title}</dt>
      <dd>{headline(memory)}</dd>
      <dd class="label">
        {VERDICT_WORDS[memory.verdict]}, {bytes(memory.totals.survivor_bytes)} still live, peak{" "}
        {bytes(memory.totals.peak_bytes)}
      </dd>
    </div>
  );
}

function outcome(before: MemoryReport, after: MemoryReport): string {
  const rate = (one: MemoryReport) => one.totals.growth_bytes_per_step ?? 0;
  const [was, is] = [rate(before), rate(after)];
  if (was > 0 && after.verdict === "no_leak") return "The leak of before is gone.";
  if (was === 0 && is > 0) return "A leak has come in.";
  if (was > 0 && was === is) return `The rate is the same: ${bytes(is)} a step.`;
  if (was > 0 && is > 0) return `The rate went from ${bytes(was)} to ${bytes(is)} a step.`;
  return "Neither grows.";
}

export function CompareView({ memory }: { memory: MemoryReport }) {
  const all = sessions.data.value?.sessions ?? [];
  const others = all.filter((one) => one.id !== session.value?.id);
  const other = all.find((one) => one.id === at("with")) ?? others[0];
  const otherHost = other?.hosts.find((one) => one.host === at("with_host")) ?? other?.hosts[0];
  const place = other && otherHost ? { session: other.id, host: otherHost.host } : null;
  const report = useResource<Report>(place && address("report", place));
  const found = report.data.value?.sessions[0]?.hosts[0]?.memories ?? [];
  const fitting = [...found].sort(
    (a, b) =>
      Number(b.memory_id === memory.memory_id) - Number(a.memory_id === memory.memory_id) ||
      byUrgency(a, b),
  );
  const before = found.find((one) => one.memory_id === at("with_memory")) ?? fitting[0];
  const known = before && before.verdict !== "no_events";
  const answer = useResource<SitesPayload>(
    place && known ? address("sites", { ...place, memory: before.memory_id }) : null,
  );
  const pairs = useMemo(
    () =>
      answer.data.value && sites.data.value
        ? compareSites(answer.data.value, sites.data.value)
        : [],
    [answer.data.value, sites.data.value],
  );
  const error = report.error.value ?? answer.error.value;
  return (
    <section class="section" aria-label="Compare">
      <div class="bar toolbar">
        <Picker
          label="Compare with session"
          value={other?.id ?? ""}
          options={all.map((one) => ({ value: one.id, text: one.id }))}
          onChange={(value) => go({ with: value, with_host: "", with_memory: "" })}
        />
        <Picker
          label="Host"
          value={otherHost?.host ?? ""}
          options={(other?.hosts ?? []).map((one) => ({ value: one.host, text: one.host }))}
          onChange={(value) => go({ with: other?.id ?? "", with_host: value, with_memory: "" })}
        />
        <Picker
          label="Memory"
          value={before?.memory_id ?? ""}
          options={found.map((one) => ({
            value: one.memory_id ?? "",
            text: one.memory_id ?? "none",
          }))}
          onChange={(value) => go({ with_memory: value })}
        />
      </div>
      {error && <Trouble error={error} onRetry={report.retry} />}
      {!error && !before && <Loading what="Reading the other session…" />}
      {before && !known && <p class="muted">That host has no memory events to compare with.</p>}
      {before && known && (
        <>
          <h2 class="outcome">{outcome(before, memory)}</h2>
          <dl class="facts wide-facts">
            <Standing title="Before" memory={before} />
            <Standing title="Now" memory={memory} />
          </dl>
          <div class="below">
            <PlacedTable
              title="Sites before and now"
              name="compare"
              columns={COLUMNS}
              rows={pairs}
              keyOf={(pair) => pair.key}
              height={28 * 12}
              first="-rate_change"
              example="rate_change!=0"
            />
          </div>
        </>
      )}
    </section>
  );
}
