/** Empty places: why there is nothing, and what to do. */
import type { ComponentChildren } from "preact";
import type { HostReport, Warning } from "../api/wire.ts";
import { Later } from "../ui/Later.tsx";

const loadRecipes = () => import("./later.ts").then((module) => module.Recipes);

export function Reasons({ warnings }: { warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null;
  return (
    <ul>
      {warnings.map((warning, index) => (
        <li key={index}>
          {warning.message && <p>{warning.message}</p>}
          {warning.hint && <p class="muted">{warning.hint}</p>}
        </li>
      ))}
    </ul>
  );
}

function Place({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <h1>{title}</h1>
      {children}
    </div>
  );
}

export function NoProfiles({ warnings }: { warnings: readonly Warning[] }) {
  return (
    <Place title="No profiles in this log directory.">
      <p class="prose">
        Leak Finder reads what the profiler writes under plugins/profile. Capture some steps of the
        job, and it will say whether memory leaks, what leaks, and how fast.
      </p>
      <Reasons warnings={warnings} />
      <Later load={loadRecipes} />
    </Place>
  );
}

export function Unreadable({ host }: { host: HostReport }) {
  return (
    <Place title="This profile could not be read.">
      <p class="prose">Other hosts and sessions are not affected.</p>
      <Reasons warnings={host.warnings} />
    </Place>
  );
}

export function NotFound({
  what,
  name,
  onBack,
}: {
  what: string;
  name: string;
  onBack: () => void;
}) {
  return (
    <Place title={`This ${what} is not here.`}>
      <p class="prose">
        The address names <strong>{name}</strong>, which is not in the log directory now. It may
        have been moved or deleted, or the link comes from another TensorBoard.
      </p>
      <p>
        <button type="button" class="small-button" onClick={onBack}>
          Show the newest session
        </button>
      </p>
    </Place>
  );
}
