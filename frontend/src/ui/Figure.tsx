/** A chart with its title, a note on what it was drawn from, a readout, and its table one key away. */
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";

interface Props {
  title: string;
  note?: string | undefined;
  readout?: string | undefined;
  header: readonly string[];
  /** Made only when the person asks for the table. */
  rows: () => readonly (readonly string[])[];
  /** Buttons beside the way to the table. */
  tools?: ComponentChildren;
  children: ComponentChildren;
}

const MOST_ROWS = 2000;

export function Figure({ title, note, readout, header, rows, tools, children }: Props) {
  const [asTable, setAsTable] = useState(false);
  const id = useId();
  return (
    <figure aria-labelledby={id}>
      <div class="figure-head">
        <h2 id={id}>{title}</h2>
        {note && <span class="label cut">{note}</span>}
        <span class="readout label" aria-live="polite">
          {readout}
        </span>
        {tools}
        <button type="button" class="link-button" onClick={() => setAsTable(!asTable)}>
          {asTable ? "chart" : "table"}
          <span class="unseen"> of {title}</span>
        </button>
      </div>
      {asTable ? <DataTable title={title} header={header} rows={rows()} /> : children}
    </figure>
  );
}

interface DataTableProps {
  title: string;
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

function DataTable({ title, header, rows }: DataTableProps) {
  return (
    <section class="data-table" tabIndex={0} aria-label={title}>
      <table>
        <thead>
          <tr>
            {header.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MOST_ROWS && (
        <p class="label">
          The first {MOST_ROWS} of {rows.length} rows.
        </p>
      )}
    </section>
  );
}
