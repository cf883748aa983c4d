/**
 * A table of any length: only the rows in sight exist. Sort on the headers, move with the arrow,
 * page, Home and End keys, pick with Enter. Rows may arrive later (`rowAt` answers undefined).
 */
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Sort } from "../lib/sort.ts";
import { type Column, fitting, tracks } from "./columns.ts";

interface Props<R> {
  label: string;
  columns: readonly Column<R>[];
  count: number;
  rowAt: (index: number) => R | undefined;
  keyOf: (row: R) => string | number;
  height: number;
  sort?: Sort | null;
  onSort?: (sort: Sort) => void;
  isSelected?: (row: R) => boolean;
  onPick?: (row: R) => void;
  /** Several rows: one more or less (`toggle`, with Ctrl), or all from the last picked (Shift). */
  onPickMore?: (rows: R[], toggle: boolean) => void;
  /** Told which rows are in sight, so that they can be fetched. */
  onSight?: (first: number, last: number) => void;
  empty: string;
}

const ROW = 28;
const HEAD = 27;
const OVERSCAN = 6;
/** Browsers lay out no element taller than this; beyond it positions are scaled. */
const TALLEST = 8_000_000;

function useWidth(): [{ current: HTMLDivElement | null }, number] {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(1000);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const measure = () => element.clientWidth > 0 && setWidth(element.clientWidth);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

export function VirtualTable<R>(props: Props<R>) {
  const { label, count, rowAt, keyOf, height, onPick, isSelected, onSight } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [box, width] = useWidth();
  const [top, setTop] = useState(0);
  const [active, setActive] = useState(0);
  const anchor = useRef(0);
  const columns = fitting(props.columns, width - 12);
  const body = Math.min(count * ROW, TALLEST);
  const sight = Math.max(ROW, Math.min(height, body));
  const scale = body > sight ? (count * ROW - sight) / (body - sight) : 1;
  const first = Math.max(0, Math.floor((top * scale) / ROW) - OVERSCAN);
  const last = Math.min(count - 1, Math.ceil((top * scale + sight) / ROW) + OVERSCAN);
  useEffect(() => onSight?.(first, last), [first, last, onSight]);

  const reveal = (index: number) => {
    setActive(index);
    const element = scroller.current;
    if (!element) return;
    const above = index * ROW;
    if (above < top * scale) element.scrollTop = above / scale;
    else if (above + ROW > top * scale + sight) element.scrollTop = (above + ROW - sight) / scale;
  };
  const pick = (index: number, event: KeyboardEvent | MouseEvent) => {
    const also = event.ctrlKey || event.metaKey;
    const [from, to] =
      event.shiftKey && !also ? [anchor.current, index].sort((a, b) => a - b) : [index, index];
    const rows: R[] = [];
    for (let n = from ?? index; n <= (to ?? index); n += 1) {
      const row = rowAt(n);
      if (row !== undefined) rows.push(row);
    }
    if (props.onPickMore && (also || event.shiftKey)) props.onPickMore(rows, also);
    else if (rows[0] !== undefined) onPick?.(rows[rows.length - 1] as R);
    if (!event.shiftKey) anchor.current = index;
  };
  const key = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(sight / ROW) - 1);
    const target = {
      ArrowUp: active - 1,
      ArrowDown: active + 1,
      PageUp: active - page,
      PageDown: active + page,
      Home: 0,
      End: count - 1,
    }[event.key];
    if (event.key === "Enter") pick(active, event);
    if (target === undefined || count === 0) return;
    event.preventDefault();
    reveal(Math.min(Math.max(target, 0), count - 1));
  };
  const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n);
  const rowId = (index: number) => `${id}-${index}`;
  const tall = count === 0 ? 44 : sight;
  // Headers over nothing say nothing; where they sort, a filter may have emptied the table.
  if (count === 0 && !props.onSort) {
    return (
      <div class="table" ref={box}>
        <p class="muted">{props.empty}</p>
      </div>
    );
  }
  return (
    <div class="table" ref={box} style={{ "--tracks": tracks(columns) }}>
      <div
        class="table-scroll"
        ref={scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={count + 1}
        {...(props.onPickMore ? { "aria-multiselectable": true } : {})}
        tabIndex={0}
        style={{ height: `${tall + HEAD + 2}px` }}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        onKeyDown={key}
        {...(count > 0 ? { "aria-activedescendant": rowId(active) } : {})}
      >
        <Header {...props} columns={columns} />
        {count === 0 && (
          <div role="row" aria-rowindex={2}>
            <p class="table-empty" role="gridcell">
              {props.empty}
            </p>
          </div>
        )}
        <div class="table-body" role="rowgroup" style={{ height: `${body}px` }}>
          {shown.map((index) => {
            const row = rowAt(index);
            return (
              <div
                key={row === undefined ? `at ${index}` : keyOf(row)}
                id={rowId(index)}
                class="table-row"
                role="row"
                aria-rowindex={index + 2}
                style={{ top: `${index * ROW - top * scale + top}px` }}
                data-active={index === active ? "" : undefined}
                data-pick={onPick ? "" : undefined}
                {...(isSelected && row !== undefined ? { "aria-selected": isSelected(row) } : {})}
                onClick={(event) => {
                  setActive(index);
                  pick(index, event);
                }}
              >
                {columns.map((column) => (
                  <div key={column.key} role="gridcell" class={column.numeric ? "end" : ""}>
                    {row === undefined ? "…" : column.show(row)}
                  </div>
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Header<R>({ columns, sort, onSort }: Props<R>) {
  return (
    <div role="rowgroup" class="table-top">
      <div class="table-head" role="row" aria-rowindex={1}>
        {columns.map((column) => {
          const mine = sort?.key === column.key ? sort : null;
          const order = mine ? (mine.descending ? "descending" : "ascending") : "none";
          const flip = () =>
            onSort?.({
              key: column.key,
              descending: mine ? !mine.descending : Boolean(column.numeric),
            });
          return (
            <div
              key={column.key}
              role="columnheader"
              class={column.numeric ? "end cut" : "cut"}
              title={[column.hint, onSort && `filter by ${column.key}`].filter(Boolean).join(" · ")}
              {...(onSort ? { "aria-sort": order as "none" } : {})}
            >
              {onSort ? (
                <button type="button" onClick={flip}>
                  {column.title}
                  {mine && <span aria-hidden="true">{mine.descending ? " ↓" : " ↑"}</span>}
                </button>
              ) : (
                column.title
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
