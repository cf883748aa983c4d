/** The answer: one sentence with the numbers that matter, and how sure we are of it. */
import type { HostReport, MemoryReport } from "../api/wire.ts";
import { leading, leadingText } from "../lib/merged.ts";
import { accounts, basis, headline, reach, sureness, type Tone, toneOf } from "../lib/words.ts";
import { Prose } from "../ui/Prose.tsx";

interface Props {
  memory: MemoryReport;
  host: HostReport;
}

const COLOURS: Record<Tone, string> = {
  alarm: "leak",
  caution: "inconclusive",
  quiet: "no_events",
};

/** Without events, what was found in snapshots and programs is the answer. */
function WithoutEvents({ memory, host }: Props) {
  const first = leading(host);
  const text = first ? leadingText(first) : headline(memory);
  const title = `${first?.title}.`;
  return (
    <section
      class="verdict"
      data-verdict={COLOURS[first ? toneOf(first) : "quiet"]}
      aria-label="Verdict"
    >
      <h1>
        <Prose text={text} />
      </h1>
      <span />
      <p>
        <Prose text={first && title !== text ? `${title} ${memory.reason}` : memory.reason} />
      </p>
      <span />
    </section>
  );
}

export function Verdict({ memory, host }: Props) {
  if (memory.verdict === "no_events") return <WithoutEvents memory={memory} host={host} />;
  const sure = sureness(memory);
  return (
    <section class="verdict" data-verdict={memory.verdict} aria-label="Verdict">
      <h1>{headline(memory, host.steps)}</h1>
      {sure ? (
        <p class="sure" title="How sure the verdict is, given the steps of this window">
          {sure}
        </p>
      ) : (
        <span />
      )}
      <p>
        <Prose text={memory.reason} /> {reach(memory)} {accounts(memory)}
      </p>
      <p class="label">{sure ? `sure, ${basis(host.steps)}` : basis(host.steps)}</p>
    </section>
  );
}
