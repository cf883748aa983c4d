/** Which program is looked at, at which point of it, and what the server says of it. */
import { computed } from "@preact/signals";
import { address } from "../api/client.ts";
import type { ModulePayload, ModulesPayload, ProgramId } from "../api/programs.ts";
import { host, session } from "./data.ts";
import { at, view } from "./place.ts";
import { resource } from "./resource.ts";

/** Programs cost a reading of their own: nothing is asked before the view is open. */
const where = computed(() =>
  view.value === "programs" && session.value && host.value
    ? { session: session.value.id, host: host.value.host }
    : null,
);

export const modules = resource<ModulesPayload>(() =>
  where.value ? address("modules", where.value) : null,
);

/** A program's form in the address: its id and its name, since ids need not be unique. */
export function moduleKey(id: ProgramId, name: string): string {
  return `${id}:${name}`;
}

/** The program of the address, else the first that has a finding, else that of the highest peak. */
export const chosen = computed<{ id: string; name: string } | null>(() => {
  const match = /^(\d+):(.*)$/s.exec(at("module"));
  if (match?.[1] !== undefined) return { id: match[1], name: match[2] ?? "" };
  const columns = modules.data.value?.columns;
  const index = Math.max(0, columns?.findings.findIndex((count) => count > 0) ?? 0);
  const id = columns?.program_id[index];
  return columns && id !== undefined ? { id: String(id), name: columns.name[index] ?? "" } : null;
});

const about = computed(() =>
  where.value && chosen.value
    ? { ...where.value, program_id: chosen.value.id, name: chosen.value.name }
    : null,
);

export const program = resource<ModulePayload>(
  () =>
    about.value
      ? address("module", { ...about.value, memory_space: at("space"), point: at("point") })
      : null,
  () => JSON.stringify([about.value, at("space")]),
);

/** The address of one buffer of the program in full. */
export function bufferAddress(buffer: string): string | null {
  return about.value && buffer !== "" ? address("module_buffer", { ...about.value, buffer }) : null;
}
