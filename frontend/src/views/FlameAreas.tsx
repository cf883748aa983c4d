/** The sites below a frame as areas, and the paths to them as a table. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { Treemap } from "../charts/Treemap.tsx";
import { bytes, counted } from "../lib/numbers.ts";
import { unsent } from "../lib/tree.ts";
import { chooseSite, chosenSites, siteRows } from "../state/sites.ts";
import { counts, names } from "../ui/cells.tsx";
import type { Column } from "../ui/columns.ts";
import { Figure } from "../ui/Figure.tsx";
import {
  byteSeconds,
  focusOf,
  formatPath,
  nodeName,
  type PathRow,
  pathRows,
  type Seen,
  secondsOf,
  tableOf,
  tilesOf,
  titleOf,
} from "./FlameTree.ts";
import { PlacedTable } from "./PlacedTable.tsx";

function columnsOf(format: (value: number) => string, seconds: boolean): Column<PathRow>[] {
  return [
    names("path", "Path", (row) => row.path, { width: 360 }),
    {
      key: seconds ? "byte_seconds" : "bytes",
      title: seconds ? "Bytes × s" : "Bytes",
      width: 104,
      numeric: true,
      value: (row) => row.own,
      show: (row) => format(row.own),
    },
    counts("blocks", "Blocks", (row) => row.blocks),
  ];
}

export function Areas({ tree, root }: Seen) {
  const readout = useSignal("");
  const seconds = secondsOf(tree);
  const format = seconds ? byteSeconds : bytes;
  const focus = focusOf(root);
  // Names and colours of sites come with their table.
  const tiles = useMemo(() => tilesOf(focus), [focus, siteRows.value, chosenSites.value]);
  const rows = useMemo(() => pathRows(focus), [focus, siteRows.value]);
  const columns = useMemo(() => columnsOf(format, seconds), [seconds]);
  const pick = (site: number | null | undefined) => {
    if (typeof site === "number") chooseSite(site);
  };
  return (
    <section class="section" aria-label="Treemap">
      <Figure
        title={`${titleOf(tree)}, ${focus === root ? "" : `below ${nodeName(focus)}, `}by site`}
        readout={readout}
        {...tableOf(focus, seconds)}
      >
        <Treemap
          tiles={tiles}
          label={`${counted(tiles.length, "area")}, sites of the flame graph above; the first is ${tiles[0]?.name ?? "none"}.`}
          height={160}
          format={format}
          onRead={(text) => {
            readout.value = text;
          }}
          onPick={(index) => pick(tiles[index]?.site)}
        />
      </Figure>
      <div class="below">
        <PlacedTable
          title="Paths"
          name="frames"
          columns={columns}
          rows={rows}
          {...(tree.left_out > 0 ? { note: `${format(unsent(focus))} in smaller frames` } : {})}
          keyOf={(row) => formatPath(row.node)}
          height={28 * 8}
          first={seconds ? "-byte_seconds" : "-bytes"}
          isSelected={(row) => row.node.site !== null && chosenSites.value.has(row.node.site)}
          onPick={(row) => pick(row.node.site)}
          example={seconds ? "path:relu" : "path:relu bytes>1MiB"}
        />
      </div>
    </section>
  );
}
