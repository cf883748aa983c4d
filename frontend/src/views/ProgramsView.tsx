/** Programs: what the compiler planned, what lives too long, what could be donated. */
import { useSignal } from "@preact/signals";
import type { ModulePayload } from "../api/programs.ts";
import { ProgramLine } from "../charts/ProgramLine.tsx";
import { neighbourHref } from "../host/neighbours.ts";
import { isEmbedded } from "../host/parent.ts";
import { bytes, counted, grouped } from "../lib/numbers.ts";
import type { Range } from "../lib/range.ts";
import { host, session } from "../state/data.ts";
import { at, go } from "../state/place.ts";
import { chosen, modules, program } from "../state/program.ts";
import { Facts } from "../ui/Facts.tsx";
import { Figure } from "../ui/Figure.tsx";
import { Notices } from "../ui/Notices.tsx";
import { Picker } from "../ui/Picker.tsx";
import { Prose } from "../ui/Prose.tsx";
import { Loading, Trouble } from "../ui/Trouble.tsx";
import { BufferCard } from "./BufferCard.tsx";
import { ModuleTable } from "./ModuleTable.tsx";
import { ProgramFindings } from "./ProgramFindings.tsx";
import { ProgramLive } from "./ProgramLive.tsx";
import { ProgramPlan } from "./ProgramPlan.tsx";

function Head({ payload }: { payload: ModulePayload }) {
  const { allocated: of, peak } = payload;
  const spaces = payload.memory_spaces;
  const href = neighbourHref("memory_viewer", session.value?.id ?? "", host.value?.host ?? "", {
    module_name: payload.xprof_name,
  });
  return (
    <section class="section" aria-label="The chosen program">
      <div class="figure-head">
        <h2>
          <Prose text={payload.name} />
        </h2>
        <span class="label cut">
          {counted(payload.instructions, "instruction")},{" "}
          {counted(payload.logical_buffers, "buffer")}
          {payload.runs !== null && `, ran ${counted(payload.runs, "time")} in the window`}
          {payload.compilations > 1 && `, compiled ${counted(payload.compilations, "time")}`}
        </span>
        <span class="push" />
        {spaces.length > 1 && (
          <Picker
            label="Memory space"
            value={String(payload.memory_space)}
            options={spaces.map((one) => ({
              value: String(one.memory_space),
              text: `${one.name} · ${bytes(one.bytes)}`,
            }))}
            onChange={(space) => go({ space: space === "0" ? "" : space, point: "", buffer: "" })}
          />
        )}
        {isEmbedded() && (
          <a target="_parent" href={href}>
            Memory Viewer
          </a>
        )}
      </div>
      <Facts
        facts={[
          ["Peak", bytes(peak.bytes)],
          ["Parameters", bytes(of.parameter_bytes)],
          ["Outputs", bytes(of.output_bytes)],
          ["Donated, so in both", bytes(of.aliased_bytes)],
          ["Constants", bytes(of.constant_bytes)],
          ["Temporaries", bytes(of.temporary_bytes)],
          ["Lives the whole program", bytes(of.whole_program_bytes)],
          ["Lost to fragmentation", bytes(of.fragmentation_bytes)],
          ["Outputs alive at the end", grouped(payload.alive_outputs)],
        ]}
      />
      <ProgramFindings findings={payload.findings} />
    </section>
  );
}

/** The life of the chosen buffer in points, for the line chart. */
function chosenLife(payload: ModulePayload): Range | null {
  const { columns } = payload.buffers;
  const index = at("buffer") === "" ? -1 : columns.buffer.indexOf(Number(at("buffer")));
  if (index < 0) return null;
  return { start: columns.born[index] ?? 0, end: columns.freed[index] ?? payload.points.total };
}

function Order({ payload }: { payload: ModulePayload }) {
  const readout = useSignal("");
  const { columns, total, merged } = payload.points;
  const names = columns.instruction.map((index) => payload.strings[index] ?? "");
  if (total === 0) {
    return (
      <p class="section muted">
        {payload.warnings.length > 0
          ? "This program has no lifetimes to draw: the notes above say why."
          : "Nothing comes and goes in this program: all its buffers live as long as it runs."}
      </p>
    );
  }
  return (
    <section class="section" aria-label="Memory in program order">
      <Figure
        title="Memory in program order"
        note={`${counted(total, "point")}${merged ? `, drawn from ${grouped(columns.point.length)} that keep every peak` : ""}; dashed: without padding`}
        readout={readout}
        header={["Point", "Instruction", "Bytes", "Unpadded"]}
        rows={() =>
          columns.point.map((point, i) => [
            grouped(point),
            names[i] ?? "",
            grouped(columns.heap_bytes[i]),
            grouped(columns.unpadded_heap_bytes[i]),
          ])
        }
      >
        <ProgramLine
          points={columns.point}
          heap={columns.heap_bytes}
          unpadded={columns.unpadded_heap_bytes}
          names={names}
          total={total}
          peak={payload.peak.point}
          chosen={at("point") === "" ? null : Number(at("point"))}
          life={chosenLife(payload)}
          label={`Memory in program order: peak ${bytes(payload.peak.bytes)} at point ${grouped(payload.peak.point)} of ${grouped(total)}.`}
          height={150}
          onRead={(text) => {
            readout.value = text;
          }}
          onPick={(point) => go({ point: String(point) })}
        />
      </Figure>
      <div class="below">
        <ProgramPlan payload={payload} />
      </div>
    </section>
  );
}

function Chosen() {
  const payload = program.data.value;
  if (program.error.value) return <Trouble error={program.error.value} onRetry={program.retry} />;
  if (!payload) return chosen.value ? <Loading what="Reading the program…" /> : null;
  return (
    <>
      <Notices warnings={payload.warnings} />
      <Head payload={payload} />
      <Order payload={payload} />
      <BufferCard />
      <ProgramLive payload={payload} />
    </>
  );
}

export function ProgramsView() {
  const list = modules.data.value;
  if (modules.error.value) return <Trouble error={modules.error.value} onRetry={modules.retry} />;
  if (!list) return <Loading what="Reading the programs…" />;
  if (list.total === 0) {
    return (
      <section class="section">
        <Notices warnings={list.warnings} />
        <p class="prose">
          This capture holds no compiled programs. JAX and XLA write them into the profile unless
          ProfileOptions.enable_hlo_proto is off.
        </p>
      </section>
    );
  }
  return (
    <>
      <Notices warnings={list.warnings} />
      <section class="section" aria-label="Programs">
        <ModuleTable payload={list} />
      </section>
      <Chosen />
    </>
  );
}
