/** How far a reading is, as a bar with its figures, and a way to stop it. */
import { ApiError, giveUp } from "../api/client.ts";
import { amountText, spokenText, workText } from "../lib/progress.ts";
import { useProgress } from "../state/progress.ts";
import type { ReadingProps } from "./Reading.tsx";

/** That a person stopped it, where an answer would be. */
function stoppedBy(host: string): ApiError {
  return new ApiError(
    "stopped",
    `The reading of ${host} was stopped.`,
    "TensorBoard reads on only where somebody else waits for it.",
  );
}

export function Waiting({ session, host, what, inline, onStop }: ReadingProps) {
  const progress = useProgress(session, host).value;
  const work = progress ? workText(progress, host) : what;
  const amount = progress ? amountText(progress) : "";
  const known = progress?.total ? { value: progress.done, max: progress.total } : {};
  const stop = () => {
    giveUp(session, host);
    onStop?.(stoppedBy(host));
  };
  const bar = (
    <>
      <progress {...known} aria-label={work} aria-valuetext={amount || work} />
      {amount && <span class={amount.includes("%") ? "amount" : ""}>{amount}</span>}
      {onStop && (
        <button type="button" class="small-button" onClick={stop}>
          Stop
        </button>
      )}
      {/* At every quarter: a voice that told each step would never end. */}
      <span class="unseen" role="status">
        {progress ? spokenText(progress, host) : work}
      </span>
    </>
  );
  if (inline) {
    return (
      <p class="bar section waiting">
        {work}
        {bar}
      </p>
    );
  }
  return (
    <div class="empty waiting">
      <h1>{work}</h1>
      <p class="bar">{bar}</p>
    </div>
  );
}
