/** The shape that goes with a tone's colour. The words beside it say the same. */
import type { Mark as MarkShape } from "../lib/words.ts";

export function Mark({ shape }: { shape: MarkShape | "check" }) {
  return <span class="mark" data-mark={shape} aria-hidden="true" />;
}
