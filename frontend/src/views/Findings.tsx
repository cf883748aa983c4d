/** The first view: findings with their evidence, the memory over time, every site. */
import type { HostReport, MemoryReport } from "../api/wire.ts";
import { allFindings, type Listed } from "../lib/merged.ts";
import { at, go } from "../state/place.ts";
import { moduleKey } from "../state/program.ts";
import { chosenSite } from "../state/sites.ts";
import { Later } from "../ui/Later.tsx";
import { Evidence } from "./Evidence.tsx";
import { FindingList } from "./FindingList.tsx";
import { MemoryOverTime } from "./MemoryOverTime.tsx";
import { Sites } from "./Sites.tsx";
import { StaticEvidence } from "./StaticEvidence.tsx";

const loadHelp = () => import("./later.ts").then((module) => module.CaptureHelp);

function NothingFound({ memory }: { memory: MemoryReport }) {
  return (
    <p class="section muted">
      {memory.verdict === "no_leak"
        ? "Nothing is worth a warning: what was allocated was freed, or is meant to stay. The sites below show all of it."
        : "There is no finding. The sites below show what was allocated and what is still live."}
    </p>
  );
}

function Opened({ listed, site }: { listed: Listed | undefined; site: number | undefined }) {
  if (!listed || listed.origin === "memory") {
    return <Evidence finding={listed?.finding} site={site} />;
  }
  const { finding, origin } = listed;
  const open = () =>
    origin === "snapshots"
      ? go({ view: "snapshots" })
      : go({ module: moduleKey(origin.program_id, origin.name), view: "programs" });
  return (
    <StaticEvidence
      finding={finding}
      where={origin === "snapshots" ? "the snapshots" : `program ${origin.name}`}
      onOpen={open}
    />
  );
}

export function Findings({ memory, host }: { memory: MemoryReport; host: HostReport }) {
  const events = memory.verdict !== "no_events";
  const all = allFindings(memory, host);
  const site = at("site") === "" ? undefined : (chosenSite.value ?? undefined);
  const listed =
    site === undefined
      ? (all.find((one) => one.finding.id === at("finding")) ?? all[0])
      : undefined;
  return (
    <>
      {all.length > 0 && (
        <div class="split">
          <FindingList
            findings={all.map((one) => one.finding)}
            steps={host.steps}
            chosen={listed?.finding.id ?? ""}
            onPick={(one) => go({ finding: one.id, site: "" }, true)}
          />
          <Opened listed={listed} site={site} />
        </div>
      )}
      {all.length === 0 &&
        events &&
        (site === undefined ? (
          <NothingFound memory={memory} />
        ) : (
          <Evidence finding={undefined} site={site} />
        ))}
      {events ? (
        <>
          <section class="section" aria-label="Memory over time">
            <MemoryOverTime memory={memory} height={184} />
          </section>
          <section class="section" aria-label="Sites">
            <Sites height={28 * 10} />
          </section>
        </>
      ) : (
        <Later load={loadHelp} memory={memory} host={host} />
      )}
    </>
  );
}
