/** Take away exactly the rows that are shown: copy, CSV, JSON. */
import { useState } from "preact/hooks";
import { toCsv, toJson, toTabs } from "../lib/csv.ts";
import type { Cell } from "../lib/filter.ts";
import type { Column } from "./columns.ts";

interface Props<R> {
  name: string;
  columns: readonly Column<R>[];
  rows: () => readonly R[];
}

/** Hand a text to the browser as a file. */
export function download(name: string, type: string, content: BlobPart): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function Export<R>({ name, columns, rows }: Props<R>) {
  const [said, setSaid] = useState("");
  const table = (): [string[], Cell[][]] => [
    columns.map((column) => column.key),
    rows().map((row) => columns.map((column) => column.value(row))),
  ];
  const copy = async () => {
    const [header, cells] = table();
    await navigator.clipboard.writeText(toTabs(header, cells)).then(
      () => setSaid(`${cells.length} rows copied`),
      () => setSaid("The browser refused to copy: use CSV"),
    );
  };
  return (
    <span class="bar">
      <span class="label" role="status">
        {said}
      </span>
      <button type="button" class="small-button" onClick={copy}>
        Copy
      </button>
      <button
        type="button"
        class="small-button"
        onClick={() => download(`${name}.csv`, "text/csv", toCsv(...table()))}
      >
        CSV
      </button>
      <button
        type="button"
        class="small-button"
        onClick={() => download(`${name}.json`, "application/json", toJson(...table()))}
      >
        JSON
      </button>
    </span>
  );
}
