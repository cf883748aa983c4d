/** Would a request of so many bytes fit now? */
import { useSignal } from "@preact/signals";
import { address } from "../api/client.ts";
import { parseAmount } from "../lib/filter.ts";
import { bytes } from "../lib/numbers.ts";
import { subject } from "../state/data.ts";
import { useResource } from "../state/resource.ts";

interface FitPayload {
  answer: "yes" | "if_preallocated" | "if_pool_grows" | "no" | "unknown";
  free_bytes: number | null;
  largest_free: { allocator_bytes: number | null; seen_bytes: number | null };
}

function sentence(size: number, fit: FitPayload): string {
  const { allocator_bytes: whole, seen_bytes: seen } = fit.largest_free;
  switch (fit.answer) {
    case "yes":
      return `Yes: ${bytes(size)} fit into a hole of ${bytes(seen)}.`;
    case "no":
      return `No: only ${bytes(fit.free_bytes)} are free in all.`;
    case "if_preallocated":
      return `Yes if the allocator took its whole limit at the start: it then has ${bytes(whole)} in one piece.`;
    case "if_pool_grows":
      return `Only if the allocator's pool can still grow: ${bytes(fit.free_bytes)} are free in all, ${bytes(whole)} at most in one piece.`;
    case "unknown":
      return `The profile cannot tell: a hole of ${bytes(seen)} is seen, and the allocator tells no limit.`;
  }
}

export function Fit({ time }: { time: number }) {
  const wanted = useSignal("64 MiB");
  const size = parseAmount(wanted.value.trim());
  const where = subject.value;
  const answer = useResource<FitPayload>(
    where && size > 0 ? address("fit", { ...where, bytes: Math.round(size), at_ns: time }) : null,
    JSON.stringify(where),
  );
  const fit = answer.data.value;
  return (
    <p class="bar">
      <label class="label" for="fit">
        Would this fit then?
      </label>
      <input
        class="text-field step-field"
        id="fit"
        value={wanted.value}
        onInput={(event) => {
          wanted.value = event.currentTarget.value;
        }}
      />
      <span class="muted" role="status">
        {size > 0
          ? (answer.error.value?.message ?? (fit && sentence(size, fit)))
          : "Write a size, such as 64 MiB."}
      </span>
    </p>
  );
}
