/** Compare: this memory now, another one before. Did the fix work? */
import { useMemo } from "preact/hooks";
import { address } from "../api/client.ts";
import type { ComparePayload, CompareSide, SessionEntry } from "../api/wire.ts";
import { rowsOf } from "../lib/columns.ts";
import { bytes, counted, percent } from "../lib/numbers.ts";
import { OUTCOMES } from "../lib/outcomes.ts";
import { siteName } from "../lib/text.ts";
import { VERDICT_WORDS } from "../lib/words.ts";
import { session, sessions, subject } from "../state/data.ts";
import { at, go } from "../state/place.ts";
import { useResource } from "../state/resource.ts";
import { names, sizes, words } from "../ui/cells.tsx";
import type { Column } from "../ui/columns.ts";
import { Picker } from "../ui/Picker.tsx";
import { Prose } from "../ui/Prose.tsx";
import { Trouble } from "../ui/Trouble.tsx";
import { PlacedTable } from "./PlacedTable.tsx";
import { Reading } from "./Reading.tsx";

type Row = ReturnType<typeof rowsOf<ComparePayload["columns"]>>[number] & { index: number };

const COLUMNS: readonly Column<Row>[] = [
  names("site", "Site", siteName),
  words("change", "Change", (row) => row.change ?? ""),
  sizes("rate_before", "A step before", (row) => row.before_bytes_per_step),
  sizes("rate_now", "A step now", (row) => row.after_bytes_per_step),
  sizes("live_before", "Live before", (row) => row.before_live_bytes, { spare: 1 }),
  sizes("live_now", "Live now", (row) => row.after_live_bytes, { spare: 1 }),
  words("matched", "Matched by", (row) => row.matched_by, {
    spare: 2,
    width: 112,
    hint: "What the two sides of this row have in common",
  }),
];

function rateText(side: CompareSide): string {
  const { bytes_per_step: rate, rate_low_bytes: low, rate_high_bytes: high } = side;
  if (!rate) return VERDICT_WORDS[side.verdict];
  const range = low !== high ? `, between ${bytes(low)} and ${bytes(high)}` : "";
  return `${VERDICT_WORDS[side.verdict]} ${bytes(rate)} a step${range}`;
}

function Standing({ title, side }: { title: string; side: CompareSide }) {
  return (
    <div>
      <dt class="label">{title}</dt>
      <dd>{rateText(side)}</dd>
      <dd class="label">
        {counted(side.steps.count, "step")}, {bytes(side.totals.survivor_bytes)} still live, peak{" "}
        {bytes(side.totals.peak_bytes)}
      </dd>
    </div>
  );
}

function Answer({ payload }: { payload: ComparePayload }) {
  const rows = useMemo<Row[]>(
    () => rowsOf(payload.columns).map((row, index) => ({ ...row, index })),
    [payload],
  );
  return (
    <>
      <h2 class="outcome">{OUTCOMES[payload.outcome] ?? payload.outcome}.</h2>
      <p class="prose">
        <Prose text={payload.reason} />
        {payload.confidence !== null && ` ${percent(payload.confidence)} sure.`}{" "}
        {payload.notes.map((note) => (
          <Prose key={note} text={`${note} `} />
        ))}
      </p>
      <dl class="facts wide-facts below">
        <Standing title="Before" side={payload.before} />
        <Standing title="Now" side={payload.after} />
      </dl>
      <div class="below">
        <PlacedTable
          title="Sites before and now"
          name="compare"
          note="the greatest change first"
          columns={COLUMNS}
          rows={rows}
          keyOf={(row) => row.index}
          height={28 * 12}
          first=""
          example="rate_before>0 change:gone"
        />
      </div>
    </>
  );
}

/** What a session is most likely to be compared with: the last before it of its run, or of any. */
function before(others: readonly SessionEntry[], now: SessionEntry | undefined) {
  const earlier = others.filter((one) => now && one.session < now.session);
  const latest = (some: readonly SessionEntry[]) =>
    some.reduce<SessionEntry | undefined>((best, one) => {
      return best && best.session >= one.session ? best : one;
    }, undefined);
  return latest(earlier.filter((one) => one.run === now?.run)) ?? latest(earlier) ?? others[0];
}

export function CompareView() {
  const all = sessions.data.value?.sessions ?? [];
  const others = all.filter((one) => one.id !== session.value?.id);
  const other = others.find((one) => one.id === at("compare")) ?? before(others, session.value);
  const where = subject.value;
  const answer = useResource<ComparePayload>(
    where && other
      ? address("compare", {
          ...where,
          other_session: other.id,
          other_host: at("compare_host"),
          other_memory: at("compare_memory"),
        })
      : null,
  );
  const payload = answer.data.value;
  const hosts = other?.hosts ?? [];
  const wanted = at("compare_host") || where?.host;
  const otherHost = hosts.find((one) => one.host === wanted) ?? hosts[0];
  return (
    <section class="section" aria-label="Compare">
      <div class="bar toolbar">
        <Picker
          label="Compare with session"
          value={other?.id ?? ""}
          options={others.map((one) => ({ value: one.id, text: one.id }))}
          onChange={(value) => go({ compare: value, compare_host: "", compare_memory: "" })}
        />
        {hosts.length > 1 && (
          <Picker
            label="Its host"
            value={payload?.before.host ?? at("compare_host")}
            options={hosts.map((one) => ({ value: one.host, text: one.host }))}
            onChange={(value) =>
              go({ compare: other?.id ?? "", compare_host: value, compare_memory: "" })
            }
          />
        )}
      </div>
      {answer.error.value && <Trouble error={answer.error.value} onRetry={answer.retry} />}
      {answer.pending.value && !payload && other && otherHost && (
        <Reading
          session={other.id}
          host={otherHost.host}
          what="Reading the other session…"
          onStop={answer.stop}
        />
      )}
      {payload && <Answer payload={payload} />}
    </section>
  );
}
