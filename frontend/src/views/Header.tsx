/** The top line: what is looked at, and the way to the same run in XProf's tools. */
import type { MemoryReport } from "../api/wire.ts";
import { NEIGHBOURS, neighbourHref, traceHref } from "../host/neighbours.ts";
import { isEmbedded } from "../host/parent.ts";
import { bytes } from "../lib/numbers.ts";
import { parseRange } from "../lib/range.ts";
import { cutMiddle } from "../lib/text.ts";
import { VERDICT_WORDS } from "../lib/words.ts";
import { host, hostReport, memory, session, sessions } from "../state/data.ts";
import { at, go } from "../state/place.ts";
import { type Option, Picker } from "../ui/Picker.tsx";

function memoryText(one: MemoryReport): string {
  const parts = [cutMiddle(one.memory_id ?? "", 28), VERDICT_WORDS[one.verdict]];
  if (one.totals.capacity_bytes !== null) parts.push(bytes(one.totals.capacity_bytes));
  return parts.join(" · ");
}

/** A choice that is gone is still shown as chosen, or the picker would claim another. */
function withChosen(options: Option[], value: string): Option[] {
  if (value === "" || options.some((option) => option.value === value)) return options;
  return [{ value, text: `${value} (not found)` }, ...options];
}

export function Header() {
  const all = sessions.data.value?.sessions ?? [];
  const memories = hostReport.value?.memories ?? [];
  const chosen = {
    session: at("session") || (session.value?.id ?? ""),
    host: at("host") || (host.value?.host ?? ""),
    memory: at("memory") || (memory.value?.memory_id ?? ""),
  };
  return (
    <header class="head">
      <Picker
        label="Session"
        value={chosen.session}
        options={withChosen(
          all.map((one) => ({ value: one.id, text: one.id })),
          chosen.session,
        )}
        onChange={(value) => go({ session: value })}
      />
      <Picker
        label="Host"
        value={chosen.host}
        options={withChosen(
          (session.value?.hosts ?? []).map((one) => ({ value: one.host, text: one.host })),
          chosen.host,
        )}
        onChange={(value) => go({ session: chosen.session, host: value })}
      />
      {memories.some((one) => one.memory_id) && (
        <Picker
          label="Memory"
          value={chosen.memory}
          options={withChosen(
            memories.map((one) => ({ value: one.memory_id ?? "", text: memoryText(one) })),
            chosen.memory,
          )}
          onChange={(value) => go({ session: chosen.session, host: chosen.host, memory: value })}
        />
      )}
      {isEmbedded() && session.value && host.value && (
        <Neighbours run={chosen.session} host={chosen.host} />
      )}
    </header>
  );
}

/** The trace opens on the stretch that is picked, or else in sight, where that is not all of it. */
function Neighbours({ run, host }: { run: string; host: string }) {
  const range = parseRange(at("range")) ?? parseRange(at("zoom"));
  return (
    <nav class="neighbours" aria-label="The same run in XProf">
      <span>Same run in</span>
      {NEIGHBOURS.map(({ label, tool }) =>
        range && tool === "trace_viewer" ? (
          <a key={tool} target="_blank" rel="noreferrer" href={traceHref(run, host, range)}>
            {label}
            <span class="unseen"> on the stretch in sight</span>
          </a>
        ) : (
          <a key={tool} target="_parent" href={neighbourHref(tool, run, host)}>
            {label}
          </a>
        ),
      )}
    </nav>
  );
}
