/** More blocks of a site than were sent: pages are fetched as they come into sight, or all at once. */
import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useMemo, useRef } from "preact/hooks";
import { ApiError, address, NOT_IN_FILE, type Params } from "../api/client.ts";
import type { SitePayload } from "../api/wire.ts";
import { rowsOf } from "../lib/columns.ts";
import { grouped } from "../lib/numbers.ts";
import { ask, useResource } from "../state/resource.ts";
import { VirtualTable } from "../ui/VirtualTable.tsx";
import { type BlocksProps, COLUMNS, keyOf, ORDER, type Row, show, Whole } from "./Blocks.tsx";

/** The most rows that the server sends at once. */
const MOST = 100_000;
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
  return { rowAt, onSight, trouble: trouble.value };
}

export function BlockPages({ payload, params }: BlocksProps) {
  const { total } = payload.blocks;
  const { rowAt, onSight, trouble } = usePages(payload, params);
  const wanted = useSignal(false);
  const all = useResource<SitePayload>(
    wanted.value ? address("site", { ...params, limit: MOST }) : null,
  );
  const rows = useMemo(
    () => rowsOf((all.data.value ?? payload).blocks.columns),
    [all.data.value, payload],
  );
  if (all.data.value || trouble?.code === NOT_IN_FILE) {
    const part = rows.length < total ? `the first of ${grouped(total)}, ` : "";
    const why = trouble?.code === NOT_IN_FILE ? ` · ${trouble.message} ${trouble.hint}` : "";
    return <Whole rows={rows} note={`${part}${ORDER}${why}`} />;
  }
  const error = trouble ?? all.error.value;
  return (
    <>
      <div class="figure-head">
        <h2>Blocks</h2>
        <span class="label">
          {grouped(total)}, {ORDER}
          {error && ` · ${error.message} ${error.hint}`}
        </span>
        <span class="push" />
        <button
          type="button"
          class="small-button"
          disabled={wanted.value && all.pending.value}
          onClick={() => {
            wanted.value = true;
            if (all.error.value) all.retry();
          }}
        >
          Read all to filter and sort
        </button>
      </div>
      <VirtualTable
        label="Blocks"
        columns={COLUMNS}
        count={total}
        rowAt={rowAt}
        keyOf={keyOf}
        onPick={show}
        height={28 * 4}
        onSight={onSight}
        empty=""
      />
    </>
  );
}
