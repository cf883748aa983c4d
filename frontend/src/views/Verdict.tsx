/** The answer: one sentence with the numbers that matter, and how sure we are of it. */
import type { HostReport, MemoryReport } from "../api/wire.ts";
import { accounts, basis, headline, sureness } from "../lib/words.ts";
import { Prose } from "../ui/Prose.tsx";

export function Verdict({ memory, host }: { memory: MemoryReport; host: HostReport }) {
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
