/**
 * What the page shows, from the place to the data: sessions, then one session's host, then one
 * memory of it. Each choice falls back to the one that most wants attention.
 */
import { computed, signal } from "@preact/signals";
import { address } from "../api/client.ts";
import type {
  HostReport,
  MemoryReport,
  Report,
  SessionEntry,
  SessionsPayload,
  SitesPayload,
  Verdict,
} from "../api/wire.ts";
import { at, standOn } from "./place.ts";
import { resource } from "./resource.ts";

export const sessions = resource<SessionsPayload>(
  () => address("sessions"),
  () => "sessions",
);

/** The session of the address, else the newest. Undefined when the address names one that is gone. */
export const session = computed<SessionEntry | undefined>(() => {
  const all = sessions.data.value?.sessions ?? [];
  return at("session") ? all.find((one) => one.id === at("session")) : all[0];
});

/** The host that wants attention most, once all are read; "" until then. */
export const urgentHost = signal("");

/** The host of the address, else the most urgent one that is known, else the first. */
export const host = computed(() => {
  const hosts = session.value?.hosts ?? [];
  const named = (name: string) => hosts.find((one) => one.host === name);
  return at("host") ? named(at("host")) : (named(urgentHost.value) ?? hosts[0]);
});

const reportAddress = (parts: string) =>
  session.value && host.value
    ? address("report", { session: session.value.id, host: host.value.host, parts })
    : null;

/** What the verdict needs; programs and snapshots take a reading of their own. */
export const verdicts = resource<Report>(() => reportAddress("memories"));

/** All of it, once the verdict is there. */
export const report = resource<Report>(() => (verdicts.data.value ? reportAddress("") : null));

const hostOf = (one: Report | undefined) => one?.sessions[0]?.hosts[0];

/** Without memory events the snapshots are the verdict: then nothing is said before they are read. */
const hasEvents = (one: HostReport | undefined) =>
  one?.memories.some(({ verdict }) => verdict !== "no_events");

/** The host as far as it is known: the verdict first, then with its programs and snapshots. */
export const hostReport = computed<HostReport | undefined>(() => {
  const whole = hostOf(report.data.value);
  const first = hostOf(verdicts.data.value);
  return whole ?? (hasEvents(first) || report.error.value ? first : undefined);
});

const URGENCY: Record<Verdict, number> = { leak: 0, inconclusive: 1, no_leak: 2, no_events: 3 };

/** Order memories by what wants attention first: leaks by rate, then the undecided. */
export function byUrgency(a: MemoryReport, b: MemoryReport): number {
  const rate = (one: MemoryReport) => one.totals.growth_bytes_per_step ?? 0;
  const size = (one: MemoryReport) => one.totals.peak_bytes ?? 0;
  return URGENCY[a.verdict] - URGENCY[b.verdict] || rate(b) - rate(a) || size(b) - size(a);
}

/** The memory of the address, else the one that wants attention most. */
export const memory = computed<MemoryReport | undefined>(() => {
  const all = hostReport.value?.memories ?? [];
  return at("memory")
    ? all.find((one) => one.memory_id === at("memory"))
    : [...all].sort(byUrgency)[0];
});

standOn(() => ({
  session: session.peek()?.id ?? "",
  host: host.peek()?.host ?? "",
  memory: memory.peek()?.memory_id ?? "",
}));

/** The parameters that name the chosen memory, or null while there is none with events. */
export const subject = computed(() =>
  session.value && host.value && memory.value && memory.value.verdict !== "no_events"
    ? { session: session.value.id, host: host.value.host, memory: memory.value.memory_id }
    : null,
);

export const sites = resource<SitesPayload>(() =>
  subject.value ? address("sites", subject.value) : null,
);
