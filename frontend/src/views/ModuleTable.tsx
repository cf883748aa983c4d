/** Every compiled program of the host: what it takes, how often it ran and was compiled. */
import { useMemo } from "preact/hooks";
import type { ModulesPayload } from "../api/programs.ts";
import { rowsOf } from "../lib/columns.ts";
import { bytes, grouped } from "../lib/numbers.ts";
import { formatSort, parseSort } from "../lib/sort.ts";
import { at, go } from "../state/place.ts";
import { chosen, moduleKey } from "../state/program.ts";
import type { Column } from "../ui/columns.ts";
import { FilteredTable } from "../ui/FilteredTable.tsx";
import { Name } from "../ui/Name.tsx";

type Row = ReturnType<typeof rowsOf<ModulesPayload["columns"]>>[number];
type Figure = (row: Row) => number | null;

function column(key: string, title: string, of: Figure, spare: number, hint: string): Column<Row> {
  const size = hint.startsWith("Bytes");
  return {
    key,
    title,
    width: 84,
    numeric: true,
    spare,
    hint,
    value: of,
    show: (row) =>
      of(row) === 0 ? <span class="zero">0</span> : size ? bytes(of(row)) : grouped(of(row)),
  };
}

const COLUMNS: readonly Column<Row>[] = [
  {
    key: "program",
    title: "Program",
    width: 200,
    value: (row) => row.name,
    show: (row) => <Name text={row.name} most={60} />,
  },
  column(
    "peak",
    "Peak",
    (row) => row.peak_bytes,
    0,
    "Bytes live at the worst point of the program",
  ),
  column("parameters", "Parameters", (row) => row.parameter_bytes, 2, "Bytes of its arguments"),
  column("outputs", "Outputs", (row) => row.output_bytes, 3, "Bytes of its results"),
  column(
    "temporaries",
    "Temporaries",
    (row) => row.temporary_bytes,
    1,
    "Bytes of what it makes on the way",
  ),
  column(
    "donatable",
    "Could donate",
    (row) => row.donatable_bytes,
    0,
    "Bytes that donating arguments would save",
  ),
  column(
    "compilations",
    "Compiled",
    (row) => row.compilations,
    4,
    "Programs of this function that the host holds",
  ),
  column("runs", "Runs", (row) => row.runs, 5, "How often it ran in the window"),
  column(
    "alive",
    "Outputs alive",
    (row) => row.alive_outputs,
    6,
    "Its outputs still in use when the window ended",
  ),
  column("findings", "Findings", (row) => row.findings, 0, "Findings about this program"),
];

export function ModuleTable({ payload }: { payload: ModulesPayload }) {
  const rows = useMemo(() => rowsOf(payload.columns), [payload]);
  return (
    <FilteredTable
      title="Programs"
      name="programs"
      columns={COLUMNS}
      rows={rows}
      keyOf={(row) => moduleKey(row.program_id, row.name)}
      height={28 * 6}
      filter={at("filter")}
      onFilter={(filter) => go({ filter }, true)}
      sort={parseSort(at("sort")) ?? { key: "peak", descending: true }}
      onSort={(sort) => go({ sort: formatSort(sort) }, true)}
      isSelected={(row) =>
        String(row.program_id) === chosen.value?.id && row.name === chosen.value.name
      }
      onPick={(row) => go({ module: moduleKey(row.program_id, row.name) })}
      example="peak>1MiB findings>0"
    />
  );
}
