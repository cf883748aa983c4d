/** All hosts of a session, read one after the other: results as they come, with a way to stop. */
import { batch, computed, effect, signal } from "@preact/signals";
import { ApiError, address, giveUp } from "../api/client.ts";
import type { HostReport, Report } from "../api/wire.ts";
import { byUrgency, host, hostReport, session, urgentHost } from "./data.ts";
import { ask, generation } from "./resource.ts";

/** More hosts than this are read only when the person asks. */
const UNASKED = 8;

export const hostReports = signal<ReadonlyMap<string, HostReport | ApiError>>(new Map());
export const reading = signal(false);
/** The host whose turn it is; "" when none is read. */
export const readingHost = signal("");
let abort = new AbortController();
/** Which reload of TensorBoard's each answer is of. */
const readAt = new Map<string, number>();

function put(name: string, answer: HostReport | ApiError): void {
  readAt.set(name, generation.peek());
  hostReports.value = new Map(hostReports.peek()).set(name, answer);
}

async function readHost(id: string, name: string, signal: AbortSignal): Promise<void> {
  try {
    const where = address("report", { session: id, host: name, parts: "memories" });
    const report = await ask<Report>(where, signal);
    const found = report.sessions[0]?.hosts[0];
    if (found && !signal.aborted) put(name, found);
  } catch (error) {
    if (!signal.aborted && error instanceof ApiError) put(name, error);
  }
}

/** Read every host that is not yet known as it is now, in order; or those of a few names. */
export async function readAll(names?: readonly string[]): Promise<void> {
  const chosen = session.peek();
  if (!chosen) return;
  abort.abort();
  abort = new AbortController();
  const { signal } = abort;
  reading.value = true;
  for (const { host: name } of chosen.hosts) {
    if (signal.aborted) return;
    if (readAt.get(name) === generation.peek() || names?.includes(name) === false) continue;
    readingHost.value = name;
    await readHost(chosen.id, name, signal);
  }
  if (signal.aborted) return;
  done();
  urgentHost.value = mostUrgent();
}

/** The host with the memory that wants attention most. */
function mostUrgent(): string {
  const all = [...hostReports.peek().values()]
    .filter((one): one is HostReport => !(one instanceof ApiError))
    .flatMap((one) => one.memories.map((memory) => ({ host: one.host, memory })));
  return all.sort((a, b) => byUrgency(a.memory, b.memory))[0]?.host ?? "";
}

function done(): void {
  reading.value = false;
  readingHost.value = "";
}

function abandon(): void {
  abort.abort();
  done();
}

/** End the reading of hosts here, and on the server if nobody else waits for the one under way. */
export function stopReading(): void {
  const id = session.peek()?.id;
  if (id && readingHost.peek()) giveUp(id, readingHost.peek());
  abandon();
}

/** A new session starts anew; the host on show comes first, the others follow. */
const sessionId = computed(() => session.value?.id ?? "");
effect(() => {
  void sessionId.value;
  batch(() => {
    abandon();
    readAt.clear();
    hostReports.value = new Map();
    urgentHost.value = "";
  });
});
effect(() => {
  const shown = hostReport.value;
  const hosts = session.value?.hosts.length ?? 0;
  if (!shown || shown.host !== host.value?.host) return;
  queueMicrotask(() => {
    put(shown.host, shown);
    if (hosts > 1 && hosts <= UNASKED && !reading.peek()) void readAll();
  });
});

/** After a reload what was read is read again; the old cells stand until then. */
effect(() => {
  void generation.value;
  const known = [...hostReports.peek().keys()];
  if (known.length > 1) queueMicrotask(() => void readAll(known));
});
