/** How far the server is with a host, asked again and again while somebody can see it. */
import { effect, type ReadonlySignal, signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { address, fetchJson } from "../api/client.ts";
import type { ProgressPayload } from "../api/wire.ts";
import { shown } from "./resource.ts";

const EVERY_MS = 250;

/** False while the browser shows another page. */
const pageShown = signal(!document.hidden);
document.addEventListener("visibilitychange", () => {
  pageShown.value = !document.hidden;
});

/** The progress of a host; undefined before the first answer that tells of a reading. */
export function useProgress(
  session: string,
  host: string,
): ReadonlySignal<ProgressPayload | undefined> {
  const latest = useSignal<ProgressPayload | undefined>(undefined);
  useEffect(() => {
    latest.value = undefined;
    return effect(() => {
      if (!shown.value || !pageShown.value) return undefined;
      const abort = new AbortController();
      void follow(address("progress", { session, host }), abort.signal, (progress) => {
        latest.value = progress;
      });
      return () => abort.abort();
    });
  }, [session, host]);
  return latest;
}

async function follow(
  url: string,
  ended: AbortSignal,
  tell: (progress: ProgressPayload) => void,
): Promise<void> {
  while (!ended.aborted) {
    const progress = await fetchJson<ProgressPayload>(url, ended).catch(() => null);
    if (ended.aborted) return;
    if (progress?.phase) tell(progress);
    await new Promise((done) => setTimeout(done, EVERY_MS));
  }
}
