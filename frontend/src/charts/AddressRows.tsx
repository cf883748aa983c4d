/**
 * The address space at one moment: addresses across, wrapped into rows like text, one box a piece.
 * What is in use is filled, what is free is empty ground, and the largest holes are numbered.
 */
import { useRef } from "preact/hooks";
import { lastAt } from "../lib/search.ts";
import { runsOf, wrapping } from "../lib/wrapped.ts";
import type { Look } from "./BlockMap.tsx";
import { Plane } from "./Plane.ts";
import { ROOMY_PX, shrunk } from "./paint.ts";
import { overNumbered, type Pen, type Point, Surface } from "./Surface.tsx";

export type Use = "in_use" | "free" | "unknown" | "mixed";

export interface Pieces {
  readonly offset: readonly number[];
  readonly size_bytes: readonly number[];
  readonly used_bytes: readonly number[];
  readonly use: readonly Use[];
}

export interface Hole {
  readonly offset: number;
  readonly size: number;
}

interface Props {
  pieces: Pieces;
  length: number;
  look: Look;
  /** The largest first: their ranks stand in them. */
  holes: readonly Hole[];
  active: number | null;
  label: string;
  onHover: (index: number | null) => void;
  onPick: (index: number) => void;
}

const MOST_ROWS = 8;
const ROW = 22;
const LONE_ROW = 36;
const GAP = 6;
/** Room that a rank needs. */
const RANK_PX = 16;
/** A hole that is too narrow for a frame has a tick. */
const TICK_PX = 4;
/** This picture neither moves nor zooms. */
const STILL = { start: 0, end: 1, low: 0, high: 1 };

interface Sizes {
  readonly tall: number;
  readonly top: (row: number) => number;
}

function sizesOf(rows: number): Sizes & { height: number } {
  const tall = rows === 1 ? LONE_ROW : ROW;
  return { tall, top: (row) => row * (tall + GAP), height: rows * (tall + GAP) - GAP };
}

export function AddressRows(props: Props) {
  const { pieces, length, look, holes, active } = props;
  const count = pieces.offset.length;
  const wrapped = wrapping(length, count, MOST_ROWS);
  const { tall, top, height } = sizesOf(wrapped.rows);

  const boxes = (pen: Pen, offset: number, size: number) =>
    runsOf(wrapped, offset, size).map(({ row, left, right }) => {
      const wide = (right - left) * pen.width;
      return { x: left * pen.width, y: top(row), wide: Math.max(1, wide) };
    });
  const extent = (i: number) => [pieces.offset[i] ?? 0, pieces.size_bytes[i] ?? 0] as const;

  const fill = (pen: Pen, i: number) => {
    const use = pieces.use[i];
    if (use === "free" || use === "unknown") return;
    const [offset, size] = extent(i);
    const share = size > 0 ? (pieces.used_bytes[i] ?? 0) / size : 0;
    pen.ctx.fillStyle = look.colour(pen.palette, i);
    pen.ctx.globalAlpha = look.strength(i) * (use === "mixed" ? share : 1);
    for (const { x, y, wide } of boxes(pen, offset, size)) {
      pen.ctx.fillRect(x, y, shrunk(wide), tall);
    }
    pen.ctx.globalAlpha = 1;
  };
  const ground = (pen: Pen) => {
    pen.ctx.fillStyle = pen.palette["free-alt"];
    for (let row = 0; row < wrapped.rows; row += 1) {
      pen.ctx.fillRect(0, top(row), pen.width, tall);
    }
    // Where no block of the window ever lay nothing is known: only a line runs through.
    for (let i = 0; i < count; i += 1) {
      if (pieces.use[i] !== "unknown") continue;
      for (const { x, y, wide } of boxes(pen, ...extent(i))) {
        pen.ctx.fillStyle = pen.palette.ground;
        pen.ctx.fillRect(x, y, wide, tall);
        pen.ctx.fillStyle = pen.palette.faint;
        pen.ctx.fillRect(x, y + tall / 2, wide, 1);
      }
    }
  };
  const mark = (pen: Pen, hole: Hole, rank: number) => {
    const { ctx, palette } = pen;
    const all = boxes(pen, hole.offset, hole.size);
    ctx.strokeStyle = palette.muted;
    ctx.fillStyle = palette.muted;
    ctx.lineWidth = 1;
    for (const { x, y, wide } of all) {
      if (wide > ROOMY_PX) ctx.strokeRect(x + 0.5, y + 0.5, wide - 1, tall - 1);
      else ctx.fillRect(x, y, wide, TICK_PX);
    }
    const widest = all.reduce((best, box) => (box.wide > best.wide ? box : best), {
      x: 0,
      y: 0,
      wide: 0,
    });
    if (widest.wide < RANK_PX) return;
    ctx.textAlign = "center";
    ctx.fillText(String(rank), widest.x + widest.wide / 2, widest.y + tall / 2);
    ctx.textAlign = "left";
  };
  const plane = useRef<Plane | null>(null);
  const paintAll = (pen: Pen) => {
    pen.ctx.textBaseline = "middle";
    ground(pen);
    for (let i = 0; i < count; i += 1) fill(pen, i);
    holes.forEach((hole, place) => {
      mark(pen, hole, place + 1);
    });
  };
  const draw = (pen: Pen, again: () => void) => {
    if (pen.ctx instanceof CanvasRenderingContext2D) {
      plane.current ??= new Plane();
      const key = `${look.key} ${pen.palette.ground} ${holes.length}`;
      plane.current.show(pen.ctx, pen, { key, rects: pieces, view: STILL }, paintAll, again);
    } else paintAll(pen);
    if (active === null) return;
    pen.ctx.strokeStyle = pen.palette.text;
    pen.ctx.lineWidth = 1.5;
    for (const { x, y, wide } of boxes(pen, ...extent(active))) {
      pen.ctx.strokeRect(x, y, Math.max(3, wide), tall);
    }
  };

  const offsetAt = (spot: Point) => {
    const row = Math.floor(spot.y / (tall + GAP));
    return (row + spot.x / spot.width) * wrapped.each;
  };
  const under = (spot: Point) => lastAt(pieces.offset, offsetAt(spot));
  const key = (event: KeyboardEvent) => {
    const here = active ?? -1;
    const across = (rows: number) => {
      const [offset, size] = extent(Math.max(here, 0));
      const middle = offset + Math.min(size, wrapped.each) / 2;
      return lastAt(pieces.offset, middle + rows * wrapped.each);
    };
    const target = {
      ArrowLeft: () => here - 1,
      ArrowRight: () => here + 1,
      ArrowUp: () => across(-1),
      ArrowDown: () => across(1),
      Home: () => 0,
      End: () => count - 1,
    }[event.key];
    if (event.key === "Escape") props.onHover(null);
    else if (event.key === "Enter" && active !== null) props.onPick(active);
    else if (target && count > 0) props.onHover(Math.min(Math.max(target(), 0), count - 1));
    else return;
    event.preventDefault();
  };
  return (
    <Surface
      label={`${props.label} Arrow keys go from piece to piece, Up and Down from row to row, Enter chooses.`}
      height={height}
      draw={draw}
      {...overNumbered(under, props)}
      onKey={key}
    />
  );
}
