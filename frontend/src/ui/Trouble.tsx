/** Something could not be shown: what, and the next step. */
import { type ApiError, NOT_IN_FILE } from "../api/client.ts";
import { type Key, UNCHOSEN } from "../lib/keys.ts";
import { at, go } from "../state/place.ts";

interface Props {
  error: ApiError;
  onRetry: () => void;
  /** It stands in place of the verdict, not under it. */
  whole?: boolean;
}

/** What the button says that asks once more. */
export function again(error: ApiError): string {
  return error.code === "stopped" ? "Read it" : "Try again";
}

/** A link may name what is not there, or is nonsense: to ask again would not help. */
function Without({ error }: { error: ApiError }) {
  const refused = error.code === "not_found" || error.code === "bad_request";
  if (!refused || !Object.keys(UNCHOSEN).some((key) => at(key as Key))) return null;
  return (
    <button type="button" class="small-button" onClick={() => go(UNCHOSEN)}>
      Show without what the link chose
    </button>
  );
}

export function Trouble({ error, onRetry, whole = false }: Props) {
  const Heading = whole ? "h1" : "h2";
  if (error.code === NOT_IN_FILE) {
    return (
      <p class="section muted" role="status">
        {error.message} {error.hint}
      </p>
    );
  }
  return (
    <div class="empty" role="alert">
      <Heading>{error.message}</Heading>
      {error.hint && <p class="prose">{error.hint}</p>}
      <p class="bar">
        <button type="button" class="small-button" onClick={onRetry}>
          {again(error)}
        </button>
        <Without error={error} />
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
