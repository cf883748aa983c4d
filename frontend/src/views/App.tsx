/** The page: pickers, verdict, tabs and the chosen view, or the reason why there is none. */

import type { ComponentType } from "preact";
import type { HostReport, MemoryReport } from "../api/wire.ts";
import { allFindings } from "../lib/merged.ts";
import { counted } from "../lib/numbers.ts";
import { host, hostReport, memory, report, session, sessions } from "../state/data.ts";
import { at, go, view } from "../state/place.ts";
import { Later } from "../ui/Later.tsx";
import { Notices } from "../ui/Notices.tsx";
import { PANEL, type Tab, Tabs, tabId } from "../ui/Tabs.tsx";
import { Loading, Trouble } from "../ui/Trouble.tsx";
import { NoProfiles, NotFound, Unreadable } from "./Empty.tsx";
import { Findings } from "./Findings.tsx";
import { Header } from "./Header.tsx";
import { Rest, Unread } from "./Unread.tsx";
import { Verdict } from "./Verdict.tsx";

/** No session, host or memory yet: why. Null when there is one. */
function Obstacle() {
  const list = sessions.data.value;
  if (sessions.error.value)
    return <Trouble error={sessions.error.value} onRetry={sessions.retry} whole />;
  if (!list) return <Loading what="Looking for profiles…" />;
  if (list.sessions.length === 0) return <NoProfiles warnings={list.warnings} />;
  const back = () => go({ session: "", host: "", memory: "" });
  if (!session.value) return <NotFound what="session" name={at("session")} onBack={back} />;
  if (!host.value) return <NotFound what="host" name={at("host")} onBack={back} />;
  if (!hostReport.value) return <Unread />;
  if (hostReport.value.memories.length === 0) return <Unreadable host={hostReport.value} />;
  if (!memory.value) return <NotFound what="memory" name={at("memory")} onBack={back} />;
  return null;
}

/** The views that this host has something for. */
function tabs(one: MemoryReport, where: HostReport): Tab[] {
  const list: Tab[] = [
    { key: "findings", title: "Findings", count: allFindings(one, where).length },
  ];
  if (one.verdict !== "no_events") {
    list.push(
      { key: "timeline", title: "Timeline" },
      { key: "blocks", title: "Blocks" },
      { key: "flame", title: "Flame graph" },
    );
  }
  // A link into a view that is still being read stays there.
  const awaited = (key: string) => view.value === key && report.pending.value;
  if (where.modules.length > 0 || awaited("programs")) {
    list.push({ key: "programs", title: "Programs", count: where.modules.length });
  }
  if (where.snapshots.length > 0 || awaited("snapshots"))
    list.push({ key: "snapshots", title: "Snapshots" });
  const sessionCount = sessions.data.value?.sessions.length ?? 0;
  if (one.verdict !== "no_events" && sessionCount > 1)
    list.push({ key: "compare", title: "Compare" });
  return list;
}

type View = ComponentType<{ memory: MemoryReport; host: HostReport }>;

/** Views other than the first arrive when they are opened. */
const LATER: Record<string, () => Promise<View>> = {
  timeline: () => import("./later.ts").then((module) => module.TimelineView),
  blocks: () => import("./later.ts").then((module) => module.BlocksView),
  flame: () => import("./later.ts").then((module) => module.FlameView),
  programs: () => import("./later.ts").then((module) => module.ProgramsView),
  compare: () => import("./later.ts").then((module) => module.CompareView),
  snapshots: () => import("./later.ts").then((module) => module.SnapshotsView),
};

/** What the log directory holds that could not be used: one line, about no session in particular. */
function LeftOut() {
  const warnings = sessions.data.value?.warnings ?? [];
  const about = `${counted(warnings.length, "file")} of this log directory left out`;
  return <Notices warnings={warnings} about={about} />;
}

const loadOverview = () => import("./later.ts").then((module) => module.Overview);

/** All hosts and memories, where there are several. */
function Fleet() {
  const hosts = session.value?.hosts.length ?? 0;
  const memories = hostReport.value?.memories.length ?? 0;
  return hosts > 1 || memories > 1 ? <Later load={loadOverview} /> : null;
}

function Body() {
  const one = memory.value;
  const where = hostReport.value;
  if (!one || !where) {
    return (
      <>
        <Fleet />
        <Obstacle />
      </>
    );
  }
  const list = tabs(one, where);
  const active = list.some((tab) => tab.key === view.value) ? view.value : "findings";
  const load = LATER[active];
  const events = one.verdict !== "no_events";
  return (
    <>
      <Fleet />
      <Verdict memory={one} host={where} />
      <Rest />
      <Notices warnings={[...(one.warnings ?? []), ...(events ? where.warnings : [])]} />
      <LeftOut />
      <Tabs
        tabs={list}
        active={active}
        onPick={(key) => go({ view: key === "findings" ? "" : key })}
      />
      <div id={PANEL} role="tabpanel" aria-labelledby={tabId(active)}>
        {load ? (
          <Later key={active} load={load} memory={one} host={where} />
        ) : (
          <Findings memory={one} host={where} />
        )}
      </div>
    </>
  );
}

export function App() {
  const list = sessions.data.value;
  return (
    <>
      {list && list.sessions.length > 0 && <Header />}
      <main>
        <Body />
      </main>
    </>
  );
}
