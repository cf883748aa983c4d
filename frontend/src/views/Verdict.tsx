/** The answer: one sentence with the numbers that matter, and how sure we are of it. */
import type { HostReport, MemoryReport } from "../api/wire.ts";
import { snapshotGrowth } from "../lib/merged.ts";
import { accounts, basis, headline, sureness } from "../lib/words.ts";
import { Prose } from "../ui/Prose.tsx";

interface Props {
  memory: MemoryReport;
  host: HostReport;
}

/** Without events, growth between snapshots is the answer. */
function SnapshotVerdict({ memory, host }: Props) {
  const growth = snapshotGrowth(host);
  return (
    <section class="verdict" data-verdict={growth ? "leak" : "no_events"} aria-label="Verdict">
      <h1>{growth ? "The snapshots grow." : headline(memory)}</h1>
      <span />
      <p>
        {growth && (
          <>
            <Prose text={growth.title} />.{" "}
          </>
        )}
        <Prose text={memory.reason} />
      </p>
      <span />
    </section>
  );
}

export function Verdict({ memory, host }: Props) {
  if (memory.verdict === "no_events") return <SnapshotVerdict memory={memory} host={host} />;
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
        <Prose text={memory.reason} /> {accounts(memory)}
      </p>
      <p class="label">{sure ? `sure, ${basis(host.steps)}` : basis(host.steps)}</p>
    </section>
  );
}
