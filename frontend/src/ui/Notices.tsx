/** What the person must know about the input, with the next step. Few are shown, many are folded. */
import type { Warning } from "../api/wire.ts";
import { counted } from "../lib/numbers.ts";
import { Mark } from "./Mark.tsx";
import { Prose } from "./Prose.tsx";

const OPEN_UP_TO = 2;

function Notice({ warning }: { warning: Warning }) {
  return (
    <li class="notice">
      <Mark shape="diamond" />
      <p>
        <Prose text={warning.message} />{" "}
        {warning.hint && (
          <span class="muted">
            <Prose text={warning.hint} />
          </span>
        )}
      </p>
    </li>
  );
}

interface Props {
  warnings: readonly Warning[];
  /** What the warnings are about, when they are to be folded into one line. */
  about?: string;
}

export function Notices({ warnings, about }: Props) {
  if (warnings.length === 0) return null;
  const list = (
    <ul class="notices" aria-label="Warnings">
      {warnings.map((warning, index) => (
        <Notice key={index} warning={warning} />
      ))}
    </ul>
  );
  if (warnings.length <= OPEN_UP_TO && !about) return list;
  return (
    <details class="notices">
      <summary>
        {about ?? counted(warnings.length, "warning")}: {warnings[0]?.message}
      </summary>
      {list}
    </details>
  );
}
