/** Empty places: why there is nothing, and what to do. */
import type { ComponentChildren } from "preact";
import type { HostReport, Warning } from "../api/wire.ts";

interface Recipe {
  framework: string;
  code: string;
  note?: string;
}

const RECIPES: readonly Recipe[] = [
  {
    framework: "JAX on GPU or TPU",
    code: `with jax.profiler.trace("LOGDIR"):
    for step in range(20):
        with jax.profiler.StepTraceAnnotation("train", step_num=step):
            state = train_step(state, batch)`,
  },
  {
    framework: "TensorFlow, Keras",
    code: `with tf.profiler.experimental.Profile("LOGDIR"):
    for step in range(20):
        with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
            train_step(batch)`,
    note: "On a CPU, start the job with TF_CPU_ALLOCATOR_USE_BFC=true: the plain allocator records nothing.",
  },
  {
    framework: "PyTorch/XLA",
    code: `server = xp.start_server(9012)
xp.trace_detached("localhost:9012", "LOGDIR", duration_ms=20_000)`,
  },
];

function Recipes() {
  return (
    <>
      {RECIPES.map(({ framework, code, note }) => (
        <div key={framework}>
          <h2>{framework}</h2>
          <pre>{code}</pre>
          {note && <p class="prose">{note}</p>}
        </div>
      ))}
      <p class="prose">
        Warm up first, then capture twenty steps or more: the more steps, the surer the answer.
        Start TensorBoard with the same LOGDIR and press its reload button.
      </p>
    </>
  );
}

function Reasons({ warnings }: { warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null;
  return (
    <ul>
      {warnings.map((warning, index) => (
        <li key={index}>
          <p>{warning.message}</p>
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
      <Recipes />
    </Place>
  );
}

/** How to get memory events, for a host that has none. */
export function CaptureHelp({ host }: { host: HostReport }) {
  return (
    <section class="empty" aria-label="How to capture memory events">
      <h2>No memory events on this host.</h2>
      <p class="prose">
        The profile was read, but no allocator wrote down what it allocated and freed: there is
        nothing to judge block by block.
      </p>
      <Reasons warnings={host.warnings} />
      <Recipes />
    </section>
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
