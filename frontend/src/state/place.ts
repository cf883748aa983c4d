/**
 * The place: which session, host, memory and view, with what zoom, selection, sort and filter.
 *
 * It lives in the address, so that any view is a link, and back and forward work. Components read
 * `place` (a signal) and move with `go`; nothing else writes the hash.
 */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { isHidden, onHashChange, readHash, writeHash } from "../host/parent.ts";
import { formatHash, parseHash } from "../lib/hash.ts";
import { BOUND, KEYS, type Key, moved, type Place } from "../lib/keys.ts";

const fields = signal<Place>(parseHash(readHash()));

/** One field of the place; "" where the address does not say. */
export function at(key: Key): string {
  return byKey[key].value;
}

/** One signal a key, so that a new sort draws a table again and nothing else. */
const byKey = Object.fromEntries(
  KEYS.map((key) => [key, computed(() => fields.value[key] ?? "")]),
) as Record<Key, ReadonlySignal<string>>;

let shown: () => Place = () => ({});

/** Have `told` say which session, host and memory are on show where the address does not. */
export function standOn(told: () => Place): void {
  shown = told;
}

/**
 * Go somewhere: a new entry in the history, or with `replace` the present one moved along. What is
 * chosen inside of what is on show holds it there: a newer session does not take its place.
 */
export function go(patch: Place, replace = false): void {
  const bound = Object.entries(patch).some(([key, value]) => value && BOUND.has(key));
  const after = moved(bound ? { ...shown(), ...fields.peek() } : fields.peek(), patch);
  if (JSON.stringify(after) === JSON.stringify(fields.peek())) return;
  fields.value = after;
  if (!isHidden()) writeHash(formatHash(readHash(), after), replace);
}

/** Coming back from another tab, TensorBoard's own events may follow for as long as this. */
const RETURN_MS = 1000;

/**
 * Follow the address when the person goes back, forward, or edits it. Other tabs may wipe the hash
 * (XProf does): where we come back to a hash without our fields, the place we had is put back.
 */
export function followAddress(): void {
  let hidden = isHidden();
  let returned = Number.NEGATIVE_INFINITY;
  const follow = () => {
    if (hidden && !isHidden()) returned = performance.now();
    hidden = isHidden();
    if (hidden) return;
    const now = parseHash(readHash());
    if (JSON.stringify(now) === JSON.stringify(fields.peek())) return;
    const wiped = Object.keys(now).length === 0 && performance.now() - returned < RETURN_MS;
    if (wiped) writeHash(formatHash(readHash(), fields.peek()), true);
    else fields.value = now;
  };
  onHashChange(follow);
  window.addEventListener("resize", follow);
}

export const view = computed(() => at("view") || "findings");
