/** Bytes as areas: what fills the memory, at a glance. Arrow keys go from the largest downwards. */
import { useMemo, useState } from "preact/hooks";
import { bytes } from "../lib/numbers.ts";
import { type Box, squarify } from "../lib/squarify.ts";
import { fitText, type Shade, shadeColour, TINT } from "./paint.ts";
import { type Pen, type Point, Surface } from "./Surface.tsx";

export interface Tile {
  readonly name: string;
  readonly size: number;
  readonly shade: Shade;
  readonly chosen: boolean;
}

interface Props {
  /** Largest first. */
  tiles: readonly Tile[];
  label: string;
  height: number;
  format?: (value: number) => string;
  onRead: (text: string) => void;
  onPick: (index: number) => void;
}

const contains = (box: Box, { x, y }: Point) =>
  x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;

export function Treemap({ tiles, label, height, format = bytes, onRead, onPick }: Props) {
  const [active, setActive] = useState<number | null>(null);
  const sizes = useMemo(() => tiles.map((tile) => tile.size), [tiles]);
  const layout = (width: number, tall: number) =>
    squarify(sizes, { x: 0, y: 0, width, height: tall });
  const point = (index: number | null) => {
    if (index === active) return;
    setActive(index);
    const tile = index === null ? undefined : tiles[index];
    onRead(tile ? `${tile.name}: ${format(tile.size)}` : "");
  };
  const draw = ({ ctx, width, height: tall, palette }: Pen) => {
    ctx.textBaseline = "top";
    layout(width, tall).forEach((box, index) => {
      const tile = tiles[index];
      if (!tile || box.width < 0.5 || box.height < 0.5) return;
      ctx.fillStyle = shadeColour(palette, tile.shade);
      ctx.globalAlpha = TINT;
      ctx.fillRect(box.x, box.y, Math.max(0.5, box.width - 1), Math.max(0.5, box.height - 1));
      ctx.globalAlpha = 1;
      if (index === active || tile.chosen) {
        ctx.strokeStyle = palette.text;
        ctx.lineWidth = 2;
        ctx.strokeRect(box.x + 1, box.y + 1, box.width - 3, box.height - 3);
      }
      if (box.height < 18) return;
      ctx.fillStyle = palette.text;
      fitText(ctx, tile.name, box.x + 5, box.y + 5, box.width - 10);
      if (box.height > 34) fitText(ctx, format(tile.size), box.x + 5, box.y + 19, box.width - 10);
    });
  };
  const at = (spot: Point) =>
    layout(spot.width, spot.height).findIndex((box) => contains(box, spot));
  const key = (event: KeyboardEvent) => {
    const move = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (event.key === "Escape") point(null);
    if (event.key === "Enter" && active !== null) onPick(active);
    if (move === undefined || tiles.length === 0) return;
    event.preventDefault();
    point(Math.min(Math.max((active ?? (move > 0 ? -1 : 1)) + move, 0), tiles.length - 1));
  };
  return (
    <Surface
      label={`${label} Arrow keys read the areas, Enter picks one.`}
      height={height}
      draw={draw}
      onHover={(spot) => point(spot && at(spot) >= 0 ? at(spot) : null)}
      onPick={(spot) => at(spot) >= 0 && onPick(at(spot))}
      onKey={key}
    />
  );
}
