/** The host on show is being read, wholly or in part, or was not: what goes on, what to do. */
import { bytes } from "../lib/numbers.ts";
import { host, report, session, verdicts } from "../state/data.ts";
import { refreshAll } from "../state/resource.ts";
import { again, Trouble } from "../ui/Trouble.tsx";
import { Reading } from "./Reading.tsx";

/** The resource that is waited for, or that failed: the verdict goes first. */
function current() {
  return verdicts.pending.value || verdicts.error.value ? verdicts : report;
}

function Wait({ inline = false }: { inline?: boolean }) {
  const from = current();
  const one = host.value;
  if (!one || !session.value) return null;
  return (
    <Reading
      key={`${session.value.id} ${one.host}`}
      session={session.value.id}
      host={one.host}
      what={`Reading ${one.host}, ${bytes(one.size_bytes)}…`}
      inline={inline}
      onStop={from.stop}
    />
  );
}

/** In place of an answer. */
export function Unread() {
  const { error, retry } = current();
  return error.value ? <Trouble error={error.value} onRetry={retry} whole /> : <Wait />;
}

/** Under an answer that is not the whole one, or of a file that has changed since. */
export function Rest() {
  const from = current();
  const { error, pending, retry } = from;
  if (error.value) {
    const onRetry = () => {
      retry();
      refreshAll(); // what was answered meanwhile lacks the names that programs give
    };
    return (
      <p class="bar section" role="alert">
        {error.value.message}{" "}
        {from === report
          ? "Its programs and snapshots are not shown."
          : "What is shown is of an earlier reading."}
        <button type="button" class="small-button" onClick={onRetry}>
          {again(error.value)}
        </button>
      </p>
    );
  }
  return pending.value ? <Wait inline /> : null;
}
