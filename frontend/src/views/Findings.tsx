/** The first view: findings with their evidence, the memory over time, every site. */
import type { HostReport, MemoryReport } from "../api/wire.ts";
import { at, go } from "../state/place.ts";
import { Evidence } from "./Evidence.tsx";
import { FindingList } from "./FindingList.tsx";
import { MemoryOverTime } from "./MemoryOverTime.tsx";
import { Sites } from "./Sites.tsx";

function NothingFound({ memory }: { memory: MemoryReport }) {
  return (
    <p class="section muted">
      {memory.verdict === "no_leak"
        ? "Nothing is worth a warning: what was allocated was freed, or is meant to stay. The sites below show all of it."
        : "There is no finding. The sites below show what was allocated and what is still live."}
    </p>
  );
}

export function Findings({ memory, host }: { memory: MemoryReport; host: HostReport }) {
  const { findings } = memory;
  const site = at("site") === "" ? undefined : Number(at("site"));
  const finding =
    site === undefined
      ? (findings.find((one) => one.id === at("finding")) ?? findings[0])
      : undefined;
  return (
    <>
      {findings.length > 0 && (
        <div class="split">
          <FindingList
            findings={findings}
            steps={host.steps}
            chosen={finding?.id ?? ""}
            onPick={(one) => go({ finding: one.id, site: "" }, true)}
          />
          <Evidence finding={finding} site={site} />
        </div>
      )}
      {findings.length === 0 &&
        (site === undefined ? (
          <NothingFound memory={memory} />
        ) : (
          <Evidence finding={undefined} site={site} />
        ))}
      <section class="section" aria-label="Memory over time">
        <MemoryOverTime memory={memory} height={184} />
      </section>
      <section class="section" aria-label="Sites">
        <Sites height={28 * 10} />
      </section>
    </>
  );
}
