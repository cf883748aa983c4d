/** The page: pickers, verdict, tabs and the chosen view, or the reason why there is none. */

import { host, hostReport, memory, report, session, sessions } from "../state/data.ts";
import { at, go, view } from "../state/place.ts";
import { Notices } from "../ui/Notices.tsx";
import { PANEL, type Tab, Tabs, tabId } from "../ui/Tabs.tsx";
import { Loading, Trouble } from "../ui/Trouble.tsx";
import { NoEvents, NoProfiles, NotFound } from "./Empty.tsx";
import { Findings } from "./Findings.tsx";
import { Header } from "./Header.tsx";
import { Verdict } from "./Verdict.tsx";

/** No session, host or memory yet: why. Null when there is one. */
function Obstacle() {
  const list = sessions.data.value;
  if (sessions.error.value)
    return <Trouble error={sessions.error.value} onRetry={sessions.retry} />;
  if (!list) return <Loading what="Looking for profiles…" />;
  if (list.sessions.length === 0) return <NoProfiles warnings={list.warnings} />;
  const back = () => go({ session: "", host: "", memory: "" });
  if (!session.value) return <NotFound what="session" name={at("session")} onBack={back} />;
  if (!host.value) return <NotFound what="host" name={at("host")} onBack={back} />;
  if (report.error.value) return <Trouble error={report.error.value} onRetry={report.retry} />;
  if (!hostReport.value) return <Loading what="Reading the profile…" />;
  if (hostReport.value.memories.every((one) => one.verdict === "no_events")) {
    return <NoEvents host={hostReport.value} />;
  }
  if (!memory.value) return <NotFound what="memory" name={at("memory")} onBack={back} />;
  return null;
}

function tabs(findings: number): Tab[] {
  return [{ key: "findings", title: "Findings", count: findings }];
}

function Body() {
  const one = memory.value;
  const where = hostReport.value;
  if (!one || !where || one.verdict === "no_events") return <Obstacle />;
  return (
    <>
      <Verdict memory={one} host={where} />
      <Notices warnings={[...where.warnings, ...(sessions.data.value?.warnings ?? [])]} />
      <Tabs
        tabs={tabs(one.findings.length)}
        active={view.value}
        onPick={(key) => go({ view: key === "findings" ? "" : key })}
      />
      <div id={PANEL} role="tabpanel" aria-labelledby={tabId(view.value)}>
        <Findings memory={one} host={where} />
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
