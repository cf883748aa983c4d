/** The blocks of a site, survivors first: pages are fetched as they come into sight. */
import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useMemo, useRef } from "preact/hooks";
import { address, type Params } from "../api/client.ts";
import type { BlockColumns, BlockEnd, SitePayload } from "../api/wire.ts";
import { rowsOf } from "../lib/columns.ts";
import { counted, duration, exactBytes, grouped, UNKNOWN } from "../lib/numbers.ts";
import { ask } from "../state/resource.ts";
import type { Column } from "../ui/columns.ts";
import { VirtualTable } from "../ui/VirtualTable.tsx";

type Row = ReturnType<typeof rowsOf<BlockColumns>>[number];

const ENDS: Record<BlockEnd, string> = {
  survived: "still live",
  freed: "freed",
  lost: "free not seen",
  "pre-window": "from before",
};

const stepText = (step: number | null) => (step === null ? "outside" : grouped(step));

export const BLOCK_COLUMNS: readonly Column<Row>[] = [
  {
    key: "address",
    title: "Address",
    width: 130,
    value: (row) => row.address,
    show: (row) => row.address,
  },
  {
    key: "end",
    title: "Now",
    width: 84,
    value: (row) => row.end,
    show: (row) => ENDS[row.end] ?? row.end,
  },
  {
    key: "step",
    title: "Born in step",
    width: 76,
    numeric: true,
    value: (row) => row.born_step,
    show: (row) => stepText(row.born_step),
  },
  {
    key: "age",
    title: "Age",
    width: 76,
    numeric: true,
    hint: "Steps from birth to the end of its life, or of the window",
    value: (row) => row.age_steps,
    show: (row) => (row.age_steps === null ? UNKNOWN : counted(row.age_steps, "step")),
  },
  {
    key: "born",
    title: "Born at",
    width: 84,
    numeric: true,
    spare: 3,
    hint: "Time since the start of the window",
    value: (row) => row.born_ns,
    show: (row) => duration(row.born_ns),
  },
  {
    key: "requested",
    title: "Requested",
    width: 100,
    numeric: true,
    spare: 1,
    value: (row) => row.requested_bytes,
    show: (row) => exactBytes(row.requested_bytes),
  },
  {
    key: "allocated",
    title: "Allocated",
    width: 100,
    numeric: true,
    value: (row) => row.allocation_bytes,
    show: (row) => exactBytes(row.allocation_bytes),
  },
  {
    key: "shape",
    title: "Shape",
    width: 120,
    spare: 4,
    value: (row) => `${row.shape} ${row.dtype}`.trim(),
    show: (row) => `${row.shape} ${row.dtype}`.trim(),
  },
  {
    key: "thread",
    title: "Thread",
    width: 90,
    spare: 2,
    value: (row) => row.thread,
    show: (row) => row.thread,
  },
];

const PAGE = 200;

/** Rows by index, filled page by page from the site route. */
function usePages(first: SitePayload, params: Params) {
  const pages = useRef(new Map<number, Row[]>());
  const arrived = useSignal(0);
  const size = Math.max(1, first.blocks.columns.address.length);
  const abort = useRef(new AbortController());
  useMemo(() => {
    abort.current.abort();
    abort.current = new AbortController();
    pages.current = new Map([[0, rowsOf(first.blocks.columns)]]);
  }, [first]);
  useEffect(() => () => abort.current.abort(), []);
  void arrived.value;
  const rowAt = (index: number): Row | undefined =>
    index < size
      ? pages.current.get(0)?.[index]
      : pages.current.get(size + Math.floor((index - size) / PAGE) * PAGE)?.[(index - size) % PAGE];
  const onSight = useCallback(
    (from: number, to: number) => {
      const last = Math.min(to, first.blocks.total - 1);
      for (let index = Math.max(from, size); index <= last; index += PAGE) {
        fetchPage(size + Math.floor((index - size) / PAGE) * PAGE);
      }
      if (last >= size) fetchPage(size + Math.floor((last - size) / PAGE) * PAGE);
    },
    [first],
  );
  const fetchPage = (offset: number) => {
    const { signal } = abort.current;
    if (pages.current.has(offset)) return;
    pages.current.set(offset, []);
    ask<SitePayload>(address("site", { ...params, offset, limit: PAGE }), signal).then(
      (answer) => {
        if (signal.aborted) return;
        pages.current.set(offset, rowsOf(answer.blocks.columns));
        arrived.value += 1;
      },
      () => pages.current.delete(offset),
    );
  };
  return { rowAt, onSight };
}

export function Blocks({ payload, params }: { payload: SitePayload; params: Params }) {
  const { rowAt, onSight } = usePages(payload, params);
  const { total } = payload.blocks;
  return (
    <section aria-label="Blocks of this site">
      <div class="figure-head">
        <h2>Blocks</h2>
        <span class="label">{grouped(total)}, still live first, oldest first</span>
      </div>
      <VirtualTable
        label="Blocks of this site"
        columns={BLOCK_COLUMNS}
        count={total}
        rowAt={rowAt}
        keyOf={(row) => `${row.address} ${row.born_ns}`}
        height={28 * 4}
        onSight={onSight}
        empty="No block of this site was born in the window."
      />
    </section>
  );
}
