/** Bytes as areas: what fills the memory, at a glance. Arrow keys go from the largest downwards. */
import { useMemo, useState } from "preact/hooks";
import { bytes } from "../lib/numbers.ts";
import { type Box, squarifyGroups } from "../lib/squarify.ts";
import { fitText, type Shade, shadeColour, TINT } from "./paint.ts";
import { type Pen, type Point, Surface } from "./Surface.tsx";

export interface Tile {
  readonly name: string;
  readonly size: number;
  readonly shade: Shade;
  readonly chosen: boolean;
  /** Tiles of one group stand one behind another and lie together under its name. */
  readonly group?: string;
}

interface Props {
  /** Largest first, within their groups where they have some. */
  tiles: readonly Tile[];
  label: string;
  height: number;
  format?: (value: number) => string;
  onRead: (text: string) => void;
  onPick: (index: number) => void;
}

const contains = (box: Box, { x, y }: Point) =>
  x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;

interface Laid {
  readonly boxes: readonly Box[];
  readonly heads: readonly { readonly box: Box; readonly name: string }[];
}

/** The layout of tiles, made once a size: hovering asks for it at each move of the pointer. */
function layoutMaker(tiles: readonly Tile[]): (width: number, height: number) => Laid {
  const groups: { name: string; sizes: number[] }[] = [];
  for (const { group = "", size } of tiles) {
    if (groups.at(-1)?.name !== group) groups.push({ name: group, sizes: [] });
    groups.at(-1)?.sizes.push(size);
  }
  let made: (Laid & { width: number; height: number }) | null = null;
  return (width, height) => {
    if (made?.width !== width || made.height !== height) {
      const box = { x: 0, y: 0, width, height };
      const { boxes, heads } = squarifyGroups(
        groups.map((group) => group.sizes),
        box,
      );
      const named = heads.flatMap((head, index) =>
        head ? [{ box: head, name: groups[index]?.name ?? "" }] : [],
      );
      made = { width, height, boxes, heads: named };
    }
    return made;
  };
}

export function Treemap({ tiles, label, height, format = bytes, onRead, onPick }: Props) {
  const [active, setActive] = useState<number | null>(null);
  const layout = useMemo(() => layoutMaker(tiles), [tiles]);
  const point = (index: number | null) => {
    if (index === active) return;
    setActive(index);
    const tile = index === null ? undefined : tiles[index];
    const group = tile?.group ? `, under ${tile.group}` : "";
    onRead(tile ? `${tile.name}: ${format(tile.size)}${group}` : "");
  };
  const draw = ({ ctx, width, height: tall, palette }: Pen) => {
    ctx.textBaseline = "top";
    const { boxes, heads } = layout(width, tall);
    ctx.fillStyle = palette.text;
    for (const { box, name } of heads) fitText(ctx, name, box.x + 1, box.y + 2, box.width - 4);
    boxes.forEach((box, index) => {
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
    layout(spot.width, spot.height).boxes.findIndex((box) => contains(box, spot));
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
