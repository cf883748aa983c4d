/** Would a request of so many bytes fit now? */
import { useSignal } from "@preact/signals";
import { address } from "../api/client.ts";
import { parseAmount } from "../lib/filter.ts";
import { bytes } from "../lib/numbers.ts";
import { subject } from "../state/data.ts";
import { useResource } from "../state/resource.ts";

interface FitPayload {
  answer: "yes" | "no" | "unknown";
  free_bytes: number | null;
  largest_free: { allocator_bytes: number | null; seen_bytes: number | null };
}

function sentence(size: number, fit: FitPayload): string {
  const { allocator_bytes: most, seen_bytes: seen } = fit.largest_free;
  if (fit.answer === "yes") return `Yes: ${bytes(size)} fit into a hole of ${bytes(seen)}.`;
  if (fit.answer === "no") return `No: at most ${bytes(most)} are free in one piece.`;
  return `The profile cannot tell: a hole of ${bytes(seen)} is seen, and the allocator may have ${bytes(most)} in one piece.`;
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
        {size > 0 ? fit && sentence(size, fit) : "Write a size, such as 64 MiB."}
      </span>
    </p>
  );
}
