/** A flame graph on a canvas: width is bytes, the root on top, a click zooms to a frame. */
import { useMemo, useState } from "preact/hooks";
import { bytes, grouped, percent } from "../lib/numbers.ts";
import { type Bar, flameBars, type Node } from "../lib/tree.ts";
import { fitText, type Shade, shadeColour, TINT } from "./paint.ts";
import { type Pen, type Point, Surface } from "./Surface.tsx";

interface Props {
  root: Node;
  focus: Node;
  depth: number;
  /** What a node is called in the picture. */
  nameOf: (node: Node) => string;
  /** Frames that match the search; null when nothing is searched. */
  matches: ((node: Node) => boolean) | null;
  shade: (node: Node) => Shade;
  /** Frames at which blocks of a chosen site end. */
  chosen: (node: Node) => boolean;
  format?: (value: number) => string;
  label: string;
  onRead: (text: string) => void;
  onFocus: (node: Node) => void;
}

const ROW = 20;

/** Bars of a focus, made once a width: hovering asks for them at each move of the pointer. */
function barsMaker(focus: Node): (width: number) => Bar[] {
  let made: { width: number; bars: Bar[] } | null = null;
  return (width) => {
    if (made?.width !== width) made = { width, bars: flameBars(focus, 1 / Math.max(width, 1)) };
    return made.bars;
  };
}

export function Flame(props: Props) {
  const { root, focus, depth, matches, nameOf } = props;
  const format = props.format ?? bytes;
  const [active, setActive] = useState<Bar | null>(null);
  const barsOf = useMemo(() => barsMaker(focus), [focus]);
  const height = (depth + 1) * ROW + 1;
  const textOf = ({ node, count, value }: Bar) => {
    const share = root.value > 0 ? `, ${percent(value / root.value)} of all` : "";
    if (count > 1) return `${grouped(count)} frames under a pixel: ${format(value)}${share}`;
    return `${nameOf(node)}: ${format(value)}${share}`;
  };
  const point = (bar: Bar | null) => {
    if (bar?.node === active?.node && bar?.count === active?.count) return;
    setActive(bar);
    props.onRead(bar ? textOf(bar) : "");
  };
  const toNode = (node: Node) => {
    const { value, depth: row } = node;
    point({ node, count: 1, value, left: 0, width: 0, row });
  };
  const draw = ({ ctx, width, palette }: Pen) => {
    ctx.textBaseline = "middle";
    for (const bar of barsOf(width)) {
      const [x, y] = [bar.left * width, bar.row * ROW];
      const wide = Math.max(0.5, bar.width * width - 1);
      const found = !matches || matches(bar.node);
      const here = bar.node === active?.node && bar.count === active.count;
      const plain = !bar.node.parent || bar.count > 1;
      const lit = !plain && props.chosen(bar.node);
      ctx.fillStyle = plain ? palette.quiet : shadeColour(palette, props.shade(bar.node));
      ctx.globalAlpha = TINT * (bar.row < focus.depth ? 0.5 : 1) * (found ? 1 : 0.3);
      ctx.fillRect(x, y, wide, ROW - 1);
      ctx.globalAlpha = 1;
      if (here || lit || (matches && found && bar.node.parent)) {
        ctx.strokeStyle = palette.text;
        ctx.lineWidth = here || lit ? 2 : 1;
        ctx.strokeRect(x + 0.5, y + 0.5, Math.max(1, wide - 1), ROW - 2);
      }
      ctx.fillStyle = palette.text;
      const name = bar.count > 1 ? `${grouped(bar.count)} smaller` : nameOf(bar.node);
      fitText(ctx, name, x + 5, y + ROW / 2, wide - 8);
    }
  };
  const under = (spot: Point): Bar | null => {
    const row = Math.floor(spot.y / ROW);
    const share = spot.x / spot.width;
    const inside = (bar: Bar) =>
      bar.row === row && share >= bar.left && share < bar.left + bar.width;
    return barsOf(spot.width).find(inside) ?? null;
  };
  const sibling = (node: Node, move: number): Node | null => {
    const family = node.parent?.children ?? [];
    return family[family.indexOf(node) + move] ?? null;
  };
  const key = (event: KeyboardEvent) => {
    const here = active?.node ?? focus;
    const next = {
      ArrowUp: () => here.parent,
      ArrowDown: () => here.children[0] ?? null,
      ArrowLeft: () => sibling(here, -1),
      ArrowRight: () => sibling(here, 1),
    }[event.key];
    if (event.key === "Enter") props.onFocus(here);
    else if (event.key === "Escape" || event.key === "0") props.onFocus(root);
    else if (next) toNode(active ? (next() ?? here) : here);
    else return;
    event.preventDefault();
  };
  return (
    <Surface
      label={`${props.label} Arrow keys go from frame to frame, Enter zooms to one, Escape shows all.`}
      height={height}
      draw={draw}
      onHover={(spot) => point(spot && under(spot))}
      onPick={(spot) => {
        const bar = under(spot);
        if (bar) props.onFocus(bar.count > 1 ? (bar.node.parent ?? root) : bar.node);
      }}
      onKey={key}
    />
  );
}
