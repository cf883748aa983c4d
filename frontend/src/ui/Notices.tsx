/** What the person must know about the input, with the next step. Few are shown, many are folded. */
import type { Warning } from "../api/wire.ts";
import { counted } from "../lib/numbers.ts";
import { Mark } from "./Mark.tsx";

const OPEN_UP_TO = 2;

function Notice({ warning }: { warning: Warning }) {
  return (
    <li class="notice">
      <Mark shape="diamond" />
      <p>
        {warning.message} {warning.hint && <span class="muted">{warning.hint}</span>}
      </p>
    </li>
  );
}

export function Notices({ warnings }: { warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null;
  const list = (
    <ul class="notices" aria-label="Warnings">
      {warnings.map((warning, index) => (
        <Notice key={index} warning={warning} />
      ))}
    </ul>
  );
  if (warnings.length <= OPEN_UP_TO) return list;
  return (
    <details class="notices">
      <summary>
        {counted(warnings.length, "warning")}: {warnings[0]?.message}
      </summary>
      {list}
    </details>
  );
}
