/** A flame graph on a canvas: width is bytes, the root on top, a click zooms to a frame. */
import { useState } from "preact/hooks";
import { bytes, percent } from "../lib/numbers.ts";
import { frameText } from "../lib/text.ts";
import { type Bar, flameBars, type Node } from "../lib/tree.ts";
import { fitText, type Shade, shadeColour, TINT } from "./paint.ts";
import { type Pen, type Point, Surface } from "./Surface.tsx";

interface Props {
  root: Node;
  focus: Node;
  depth: number;
  /** Frames that match the search; null when nothing is searched. */
  matches: ((node: Node) => boolean) | null;
  shade: (node: Node) => Shade;
  format?: (value: number) => string;
  label: string;
  onRead: (text: string) => void;
  onFocus: (node: Node) => void;
}

const ROW = 20;
const LEAST = 1 / 4000;

export function Flame(props: Props) {
  const { root, focus, depth, matches } = props;
  const format = props.format ?? bytes;
  const [active, setActive] = useState<Node | null>(null);
  const bars = flameBars(focus, LEAST);
  const height = (depth + 1) * ROW + 1;
  const point = (node: Node | null) => {
    if (node === active) return;
    setActive(node);
    const share = node && root.value > 0 ? `, ${percent(node.value / root.value)} of all` : "";
    props.onRead(node ? `${frameText(node.name)}: ${format(node.value)}${share}` : "");
  };
  const draw = ({ ctx, width, palette }: Pen) => {
    ctx.textBaseline = "middle";
    for (const bar of bars) {
      const [x, y] = [bar.left * width, bar.row * ROW];
      const wide = Math.max(0.5, bar.width * width - 1);
      const found = !matches || matches(bar.node);
      ctx.fillStyle = bar.node.parent ? shadeColour(palette, props.shade(bar.node)) : palette.quiet;
      ctx.globalAlpha = TINT * (bar.row < focus.depth ? 0.5 : 1) * (found ? 1 : 0.3);
      ctx.fillRect(x, y, wide, ROW - 1);
      ctx.globalAlpha = 1;
      if (bar.node === active || (matches && found && bar.node.parent)) {
        ctx.strokeStyle = palette.text;
        ctx.lineWidth = bar.node === active ? 2 : 1;
        ctx.strokeRect(x + 0.5, y + 0.5, Math.max(1, wide - 1), ROW - 2);
      }
      ctx.fillStyle = palette.text;
      fitText(ctx, frameText(bar.node.name), x + 5, y + ROW / 2, wide - 8);
    }
  };
  const under = (spot: Point): Node | null => {
    const row = Math.floor(spot.y / ROW);
    const share = spot.x / spot.width;
    const inside = (bar: Bar) =>
      bar.row === row && share >= bar.left && share < bar.left + bar.width;
    return bars.find(inside)?.node ?? null;
  };
  const sibling = (node: Node, move: number): Node | null => {
    const family = node.parent?.children ?? [];
    return family[family.indexOf(node) + move] ?? null;
  };
  const key = (event: KeyboardEvent) => {
    const here = active ?? focus;
    const next = {
      ArrowUp: () => here.parent,
      ArrowDown: () => here.children[0] ?? null,
      ArrowLeft: () => sibling(here, -1),
      ArrowRight: () => sibling(here, 1),
    }[event.key];
    if (event.key === "Enter") props.onFocus(here);
    else if (event.key === "Escape" || event.key === "0") props.onFocus(root);
    else if (next) point(active ? (next() ?? here) : here);
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
        const node = under(spot);
        if (node) props.onFocus(node);
      }}
      onKey={key}
    />
  );
}
