/** Every compiled program of the host: what it takes, how often it ran and was compiled. */
import { useMemo } from "preact/hooks";
import type { ModulesPayload } from "../api/programs.ts";
import { rowsOf } from "../lib/columns.ts";
import { go } from "../state/place.ts";
import { chosen, moduleKey } from "../state/program.ts";
import { counts, names, sizes } from "../ui/cells.tsx";
import type { Column } from "../ui/columns.ts";
import { PlacedTable } from "./PlacedTable.tsx";

type Row = ReturnType<typeof rowsOf<ModulesPayload["columns"]>>[number];
const COLUMNS: readonly Column<Row>[] = [
  names("program", "Program", (row) => row.name, { width: 200 }),
  sizes("peak", "Peak", (row) => row.peak_bytes, {
    hint: "Live at the worst point of the program",
  }),
  sizes("parameters", "Parameters", (row) => row.parameter_bytes, { spare: 2 }),
  sizes("outputs", "Outputs", (row) => row.output_bytes, { spare: 3 }),
  sizes("temporaries", "Temporaries", (row) => row.temporary_bytes, {
    spare: 1,
    hint: "What it makes on the way",
  }),
  sizes("donatable", "Could donate", (row) => row.donatable_bytes, {
    hint: "What donating arguments would save",
  }),
  counts("compilations", "Compiled", (row) => row.compilations, {
    spare: 4,
    hint: "Programs of this function that the host holds",
  }),
  counts("runs", "Runs", (row) => row.runs, { spare: 5, hint: "How often it ran in the window" }),
  counts("alive", "Outputs alive", (row) => row.alive_outputs, {
    spare: 6,
    hint: "Its outputs still in use when the window ended",
  }),
  counts("findings", "Findings", (row) => row.findings),
];

export function ModuleTable({ payload }: { payload: ModulesPayload }) {
  const rows = useMemo(() => rowsOf(payload.columns), [payload]);
  return (
    <PlacedTable
      title="Programs"
      name="programs"
      columns={COLUMNS}
      rows={rows}
      keyOf={(row) => moduleKey(row.program_id, row.name)}
      height={28 * 6}
      first="-peak"
      isSelected={(row) =>
        String(row.program_id) === chosen.value?.id && row.name === chosen.value.name
      }
      onPick={(row) => go({ module: moduleKey(row.program_id, row.name) })}
      example="peak>1MiB findings>0"
    />
  );
}
