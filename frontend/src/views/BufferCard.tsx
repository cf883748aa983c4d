/** One buffer of a program in full: what it is, where it comes from, who shares it and reads it. */
import type { ModuleBufferPayload } from "../api/programs.ts";
import { neighbourHref } from "../host/neighbours.ts";
import { isEmbedded } from "../host/parent.ts";
import { bufferName, buffersOf, paddingOf } from "../lib/buffers.ts";
import { bytes, exactBytes, grouped, UNKNOWN } from "../lib/numbers.ts";
import { host, session } from "../state/data.ts";
import { at, go } from "../state/place.ts";
import { bufferAddress, program } from "../state/program.ts";
import { useResource } from "../state/resource.ts";
import { Facts } from "../ui/Facts.tsx";
import { Prose } from "../ui/Prose.tsx";
import { Loading } from "../ui/Trouble.tsx";

function names(list: { total: number; instructions: readonly string[] }): string {
  if (list.total === 0) return "nothing";
  const more = list.total - list.instructions.length;
  return `${list.instructions.join(", ")}${more > 0 ? ` and ${grouped(more)} more` : ""}`;
}

export function BufferCard() {
  const answer = useResource<ModuleBufferPayload>(bufferAddress(at("buffer")));
  const payload = answer.data.value;
  if (at("buffer") === "") return null;
  if (answer.error.value) return <p class="section muted">{answer.error.value.message}</p>;
  if (!payload) return <Loading what="Reading the buffer…" />;
  const row = buffersOf(payload.columns, payload.strings)[0];
  if (!row) return null;
  const life =
    row.born === null
      ? "the whole program"
      : `points ${grouped(row.born)} to ${row.freed === null ? "the end" : grouped(row.freed)}`;
  return (
    <section class="section" aria-label="The chosen buffer">
      <div class="figure-head">
        <h2>
          <Prose text={bufferName(row)} />
        </h2>
        <span class="push" />
        {row.instruction && isEmbedded() && (
          <a
            target="_parent"
            href={neighbourHref("graph_viewer", session.value?.id ?? "", host.value?.host ?? "", {
              module_name: program.data.value?.xprof_name ?? "",
              node_name: row.instruction,
            })}
          >
            Graph Viewer
          </a>
        )}
        <button type="button" class="small-button" onClick={() => go({ buffer: "" }, true)}>
          Let it go
        </button>
      </div>
      <Facts
        facts={[
          ["Kind", row.kind],
          ["Size", exactBytes(row.size_bytes)],
          ["Unpadded", exactBytes(row.unpadded_bytes)],
          ["Padding", bytes(paddingOf(row))],
          ["Lives", life],
          ["Shape", row.shape || UNKNOWN],
          ["Opcode", row.opcode || UNKNOWN],
          ["Instruction", row.instruction || UNKNOWN],
          ["Source", row.source || UNKNOWN],
          ["Allocation", `${row.allocation ?? UNKNOWN}, offset ${grouped(row.offset_bytes)}`],
          ["Shared with", names(payload.shared_with)],
          ["Read by", names(payload.read_by)],
        ]}
      />
      {payload.stack.length > 0 && (
        <ol class="stack below" tabIndex={0} aria-label="Source stack, innermost first">
          {payload.stack.map((frame, index) => (
            <li key={index}>{frame}</li>
          ))}
        </ol>
      )}
    </section>
  );
}
