/** A table over rows that are all here: filter by text and expressions, sort, take away. */
import { useMemo } from "preact/hooks";
import { parseFilter } from "../lib/filter.ts";
import { grouped } from "../lib/numbers.ts";
import { type Sort, sortedIndex } from "../lib/sort.ts";
import type { Column } from "./columns.ts";
import { Export } from "./Export.tsx";
import { VirtualTable } from "./VirtualTable.tsx";

export interface TableProps<R> {
  title: string;
  note?: string;
  /** The stem of file names. */
  name: string;
  columns: readonly Column<R>[];
  /** Columns that only filters and files know. */
  hidden?: readonly Column<R>[];
  rows: readonly R[];
  keyOf: (row: R) => string | number;
  height: number;
  filter: string;
  onFilter: (text: string) => void;
  sort: Sort | null;
  onSort: (sort: Sort) => void;
  isSelected?: (row: R) => boolean;
  onPick?: (row: R) => void;
  onPickMore?: (rows: R[], toggle: boolean) => void;
  example: string;
}

export function FilteredTable<R>(props: TableProps<R>) {
  const { title, name, columns, rows, filter, sort } = props;
  const everything = useMemo(() => [...columns, ...(props.hidden ?? [])], [columns, props.hidden]);
  const read = useMemo(
    () => parseFilter(filter, Object.fromEntries(everything.map((one) => [one.key, one.value]))),
    [filter, everything],
  );
  const kept = useMemo(() => (read.ok ? rows.filter(read.keep) : rows), [rows, read]);
  const order = useMemo(() => {
    const column = columns.find((one) => one.key === sort?.key);
    return column ? sortedIndex(kept, column.value, sort?.descending ?? false) : null;
  }, [kept, columns, sort?.key, sort?.descending]);
  const rowAt = (index: number) => kept[order ? (order[index] ?? -1) : index];
  const inOrder = () => Array.from(kept, (_, index) => rowAt(index) as R);
  const hidden = rows.length - kept.length;
  return (
    <>
      <div class="bar table-tools">
        <h2>{title}</h2>
        <span class="label" role="status">
          {hidden > 0 ? `${grouped(kept.length)} of ${grouped(rows.length)}` : grouped(rows.length)}
          {props.note && ` · ${props.note}`}
        </span>
        <span class="push" />
        <input
          class="text-field filter"
          type="search"
          value={filter}
          placeholder={`filter, such as ${props.example}`}
          aria-label={`Filter ${title}`}
          aria-invalid={!read.ok}
          onInput={(event) => props.onFilter(event.currentTarget.value)}
        />
        <Export name={name} columns={everything} rows={inOrder} />
      </div>
      {!read.ok && (
        <p class="fault" role="alert">
          {read.message}
        </p>
      )}
      <VirtualTable
        label={title}
        columns={columns}
        count={kept.length}
        rowAt={rowAt}
        keyOf={props.keyOf}
        height={props.height}
        sort={sort}
        onSort={props.onSort}
        {...(props.isSelected ? { isSelected: props.isSelected } : {})}
        {...(props.onPick ? { onPick: props.onPick } : {})}
        {...(props.onPickMore ? { onPickMore: props.onPickMore } : {})}
        empty={rows.length === 0 ? "Nothing here." : "No row matches the filter."}
      />
    </>
  );
}
