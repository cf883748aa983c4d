/** Something could not be shown: what, and the next step. */
import type { ApiError } from "../api/client.ts";

interface Props {
  error: ApiError;
  onRetry: () => void;
}

/** What the button says that asks once more. */
export function again(error: ApiError): string {
  return error.code === "stopped" ? "Read it" : "Try again";
}

export function Trouble({ error, onRetry }: Props) {
  return (
    <div class="empty" role="alert">
      <h1>{error.message}</h1>
      {error.hint && <p class="prose">{error.hint}</p>}
      <p>
        <button type="button" class="small-button" onClick={onRetry}>
          {again(error)}
        </button>
      </p>
    </div>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <p class="loading" role="status">
      {what}
    </p>
  );
}
