/** The way from a moment that was pointed at to the one that is shown without: the peak. */
import { go } from "../state/place.ts";
import { moment } from "../state/timeline.ts";

export function BackToPeak() {
  if (moment.value === null) return null;
  return (
    <button type="button" class="small-button" onClick={() => go({ at: "" })}>
      Back to the peak
    </button>
  );
}
