/**
 * A resource: the answer to one address, kept while the address stays, fetched anew when it
 * changes. The older request is cancelled; answers are remembered, so that going back is instant.
 * A hidden tab fetches nothing: it catches up when it is shown again.
 */
import { batch, computed, effect, type ReadonlySignal, signal, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { ApiError, fetchJson } from "../api/client.ts";
import { isHidden } from "../host/parent.ts";

export interface Resource<T> {
  /** The latest answer, or undefined before the first and when there is nothing to ask. */
  readonly data: ReadonlySignal<T | undefined>;
  readonly error: ReadonlySignal<ApiError | undefined>;
  readonly pending: ReadonlySignal<boolean>;
  /** Ask again after a failure. */
  readonly retry: () => void;
  /** Wait no longer for this address, and say why; nothing asks for it again but `retry`. */
  readonly stop: (why: ApiError) => void;
  readonly dispose: () => void;
}

const REMEMBERED = 60;
const answers = new Map<string, unknown>();

/** Bumped when TensorBoard has reloaded: every resource asks again and keeps what it shows. */
export const generation = signal(0);
/** False while TensorBoard shows another tab. */
export const shown = signal(!isHidden());
window.addEventListener("resize", () => {
  shown.value = !isHidden();
});

/** Forget all answers and ask again. */
export function refreshAll(): void {
  answers.clear();
  generation.value += 1;
}

function remember(url: string, answer: unknown): void {
  answers.delete(url);
  answers.set(url, answer);
  const oldest = answers.keys().next().value;
  if (answers.size > REMEMBERED && oldest !== undefined) answers.delete(oldest);
}

/** Fetch through the memory of answers. */
export async function ask<T>(url: string, abort: AbortSignal): Promise<T> {
  if (answers.has(url)) return answers.get(url) as T;
  const asked = generation.peek();
  const answer = await fetchJson<T>(url, abort);
  if (asked === generation.peek()) remember(url, answer);
  return answer;
}

/**
 * Make a resource of the address that `where` computes from signals (null: nothing to ask).
 * While `subject` stays the same, the old answer is shown until the new one is there.
 */
export function resource<T>(
  where: () => string | null,
  subject: () => string = () => where() ?? "",
): Resource<T> {
  const data = signal<T | undefined>(undefined);
  const error = signal<ApiError | undefined>(undefined);
  const pending = signal(false);
  const attempt = signal(0);
  const stopped = signal<{ url: string | null; why: ApiError } | null>(null);
  // Computed, so that what leads to the same address again does not break off the request for it.
  const place = computed(where);
  const topic = computed(subject);
  let asked: string | null = null;
  let about = "";
  const dispose = effect(() => {
    const url = place.value;
    const now = topic.value;
    void generation.value;
    void attempt.value;
    if (!shown.value) return undefined;
    asked = url;
    const halt = stopped.value?.url === url ? stopped.value : null;
    const known = url === null ? undefined : (answers.get(url) as T | undefined);
    batch(() => {
      if (now !== about || url === null) data.value = undefined;
      if (known !== undefined) data.value = known;
      error.value = halt?.why;
      pending.value = url !== null && known === undefined && !halt;
    });
    about = now;
    if (url === null || known !== undefined || halt) return undefined;
    const abort = new AbortController();
    ask<T>(url, abort.signal).then(
      (answer) => {
        if (abort.signal.aborted) return;
        batch(() => {
          data.value = answer;
          pending.value = false;
        });
      },
      (reason: unknown) => {
        if (abort.signal.aborted) return;
        batch(() => {
          pending.value = false;
          data.value = undefined;
          error.value = reason instanceof ApiError ? reason : unexpected(reason);
        });
      },
    );
    return () => abort.abort();
  });
  const retry = () =>
    batch(() => {
      stopped.value = null;
      attempt.value += 1;
    });
  const stop = (why: ApiError) => {
    stopped.value = { url: asked, why };
  };
  return { data, error, pending, retry, stop, dispose };
}

/** A component's own resource: it follows `url`, and ends with the component. */
export function useResource<T>(url: string | null, subject: string = url ?? ""): Resource<T> {
  const where = useSignal(url);
  const about = useSignal(subject);
  batch(() => {
    where.value = url;
    about.value = subject;
  });
  const own = useMemo(
    () =>
      resource<T>(
        () => where.value,
        () => about.value,
      ),
    [],
  );
  useEffect(() => own.dispose, []);
  return own;
}

function unexpected(reason: unknown): ApiError {
  return new ApiError(
    "unexpected",
    String(reason),
    "This is a fault of Leak Finder: please report it.",
  );
}
