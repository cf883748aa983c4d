/** What a finding about a program or about snapshots says; the rest of its evidence is in that view. */
import type { Finding } from "../api/wire.ts";
import { Prose } from "../ui/Prose.tsx";
import { Origin } from "./Evidence.tsx";

interface Props {
  finding: Finding;
  where: string;
  onOpen: () => void;
}

export function StaticEvidence({ finding, where, onOpen }: Props) {
  return (
    <div class="evidence">
      <div class="wide lead">
        <h2>
          <Prose text={finding.title} />
        </h2>
        <p class="prose">
          <Prose text={finding.detail} />
        </p>
      </div>
      {finding.site && <Origin site={finding.site} />}
      {finding.advice && (
        <section aria-label="What to do">
          <div class="figure-head">
            <h2>What to do</h2>
          </div>
          <p class="prose">
            <Prose text={finding.advice} />
          </p>
        </section>
      )}
      <p class="wide">
        <button type="button" class="small-button" onClick={onOpen}>
          <Prose text={`See ${where}`} />
        </button>
      </p>
    </div>
  );
}
