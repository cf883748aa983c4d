/** The blocks of a site, survivors first: pages are fetched as they come into sight. */
import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useMemo, useRef } from "preact/hooks";
import { ApiError, address, NOT_IN_FILE, type Params } from "../api/client.ts";
import type { BlockColumns, BlockEnd, SitePayload } from "../api/wire.ts";
import { rowsOf } from "../lib/columns.ts";
import { counted, duration, grouped, UNKNOWN } from "../lib/numbers.ts";
import { shapeText } from "../lib/text.ts";
import { ask } from "../state/resource.ts";
import { exactSizes, names, words } from "../ui/cells.tsx";
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
const ageText = (age: number | null) => (age === null ? UNKNOWN : counted(age, "step"));

const COLUMNS: readonly Column<Row>[] = [
  words("address", "Address", (row) => row.address, { width: 130 }),
  words("end", "Now", (row) => ENDS[row.end] ?? row.end),
  words("step", "Born in step", (row) => stepText(row.born_step), { width: 76, numeric: true }),
  words("age", "Age", (row) => ageText(row.age_steps), {
    width: 76,
    numeric: true,
    hint: "Steps from birth to the end of its life, or of the window",
  }),
  words("born", "Born at", (row) => duration(row.born_ns), {
    spare: 3,
    numeric: true,
    hint: "Time since the start of the window",
  }),
  exactSizes("requested", "Requested", (row) => row.requested_bytes, { width: 100, spare: 1 }),
  exactSizes("allocated", "Allocated", (row) => row.allocation_bytes, { width: 100 }),
  names("shape", "Shape", shapeText, { width: 120, spare: 4 }),
  names("thread", "Thread", (row) => row.thread, { width: 90, spare: 2 }),
];

const PAGE = 200;

/** Rows by index, filled page by page from the site route. */
function usePages(first: SitePayload, params: Params) {
  const pages = useRef(new Map<number, Row[]>());
  const arrived = useSignal(0);
  const trouble = useSignal<ApiError | null>(null);
  const size = Math.max(1, first.blocks.columns.address.length);
  const abort = useRef(new AbortController());
  useMemo(() => {
    abort.current.abort();
    abort.current = new AbortController();
    trouble.value = null;
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
      (reason: unknown) => {
        pages.current.delete(offset);
        if (!signal.aborted && reason instanceof ApiError) trouble.value = reason;
      },
    );
  };
  return { rowAt, onSight, size, trouble: trouble.value };
}

/** What is shown, and why no more where a page of rows could not be had. */
function noteOf(total: number, held: number, trouble: ApiError | null): string {
  const all = `${grouped(total)}, still live first, oldest first`;
  if (!trouble) return all;
  const first = trouble.code === NOT_IN_FILE ? `the first ${grouped(held)} of ` : "";
  return `${first}${all} · ${trouble.message} ${trouble.hint}`;
}

export function Blocks({ payload, params }: { payload: SitePayload; params: Params }) {
  const { rowAt, onSight, size, trouble } = usePages(payload, params);
  const { total } = payload.blocks;
  const held = trouble?.code === NOT_IN_FILE ? Math.min(size, total) : total;
  return (
    <section aria-label="Blocks of this site">
      <div class="figure-head">
        <h2>Blocks</h2>
        <span class="label">{noteOf(total, held, trouble)}</span>
      </div>
      <VirtualTable
        label="Blocks of this site"
        columns={COLUMNS}
        count={held}
        rowAt={rowAt}
        keyOf={(row) => `${row.address} ${row.born_ns}`}
        height={28 * 4}
        onSight={onSight}
        empty="No block of this site was born in the window."
      />
    </section>
  );
}
