/** What a finding about a program or about snapshots says; the rest of its evidence is in that view. */
import type { Finding } from "../api/wire.ts";
import { Prose } from "../ui/Prose.tsx";
import { Advice, Origin } from "./Evidence.tsx";

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
      <Advice text={finding.advice} />
      <p class="wide">
        <button type="button" class="small-button" onClick={onOpen}>
          <Prose text={`See ${where}`} />
        </button>
      </p>
    </div>
  );
}
