/** How to capture memory events: a recipe a framework. */
import type { HostReport, MemoryReport } from "../api/wire.ts";
import { allFindings } from "../lib/merged.ts";
import { Reasons } from "./Empty.tsx";

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
            state = train_step(state, batch)
            jax.block_until_ready(state)`,
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
    code: `import torch_xla
import torch_xla.debug.profiler as xp

server = xp.start_server(9012)
xp.start_trace("LOGDIR")
for step in range(20):
    with xp.StepTrace("train", step_num=step):
        train_step(batch)
        torch_xla.sync()  # so that the step's work falls into its span
xp.stop_trace()`,
  },
];

export function Recipes() {
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

function Help({ memory, host }: { memory: MemoryReport; host: HostReport }) {
  // the banner says why there are none: here stands what to do
  const warnings = host.warnings.map((one) =>
    one.message === memory.reason ? { ...one, message: "" } : one,
  );
  return (
    <>
      <p class="prose">
        No allocator of this host wrote down what it did: blocks and timeline cannot be told.
      </p>
      <Reasons warnings={warnings.filter((one) => one.message || one.hint)} />
      <Recipes />
    </>
  );
}

/** For a host without memory events: folded away below findings, open where there is nothing else. */
export function CaptureHelp({ memory, host }: { memory: MemoryReport; host: HostReport }) {
  const title = "How to capture memory events";
  const help = <Help memory={memory} host={host} />;
  if (allFindings(memory, host).length === 0) {
    return (
      <section class="empty" aria-label={title}>
        <h2>{title}</h2>
        {help}
      </section>
    );
  }
  return (
    <details class="section">
      <summary>{title}</summary>
      <div class="empty">{help}</div>
    </details>
  );
}
