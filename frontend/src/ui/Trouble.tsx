/** Something could not be shown: what, and the next step. */
import { type ApiError, NOT_IN_FILE } from "../api/client.ts";

interface Props {
  error: ApiError;
  onRetry: () => void;
}

/** What the button says that asks once more. */
export function again(error: ApiError): string {
  return error.code === "stopped" ? "Read it" : "Try again";
}

export function Trouble({ error, onRetry }: Props) {
  if (error.code === NOT_IN_FILE) {
    return (
      <p class="section muted" role="status">
        {error.message} {error.hint}
      </p>
    );
  }
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
