/** A chart with its title, a note on what it was drawn from, a readout, and its table one key away. */
import type { ReadonlySignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { ChartSlot, type Savable } from "../charts/slot.ts";
import { download } from "./Export.tsx";

interface Props {
  title: string;
  note?: string | undefined;
  /** Changes as the pointer moves: a signal, so that nothing but its text is drawn again. */
  readout?: ReadonlySignal<string>;
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
  const slot = useRef<Savable | null>(null);
  return (
    <figure aria-labelledby={id}>
      <div class="figure-head">
        <h2 id={id}>{title}</h2>
        {note && <span class="label cut">{note}</span>}
        <span class="readout label" aria-live="polite">
          {readout}
        </span>
        {!asTable && <Save name={title} slot={slot} />}
        {tools}
        <button type="button" class="link-button" onClick={() => setAsTable(!asTable)}>
          {asTable ? "chart" : "table"}
          <span class="unseen"> of {title}</span>
        </button>
      </div>
      {asTable ? (
        <DataTable title={title} header={header} rows={rows()} />
      ) : (
        <ChartSlot.Provider value={slot}>{children}</ChartSlot.Provider>
      )}
    </figure>
  );
}

/** Take the picture away as it is now. */
function Save({ name, slot }: { name: string; slot: { current: Savable | null } }) {
  const file = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const png = () =>
    slot.current?.canvas()?.toBlob((blob) => blob && download(`${file}.png`, "image/png", blob));
  const svg = () => {
    const text = slot.current?.svg();
    if (text) download(`${file}.svg`, "image/svg+xml", text);
  };
  return (
    <span class="save">
      <button type="button" class="link-button" onClick={svg} aria-label={`Save ${name} as SVG`}>
        SVG
      </button>
      <button type="button" class="link-button" onClick={png} aria-label={`Save ${name} as PNG`}>
        PNG
      </button>
    </span>
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
