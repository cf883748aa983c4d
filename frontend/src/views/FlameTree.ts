/** What the nodes of a flame graph are called, coloured and written down as. */
import type { FlamePayload } from "../api/frames.ts";
import type { Tile } from "../charts/Treemap.tsx";
import { bytes, duration, grouped } from "../lib/numbers.ts";
import { frameText, shapeText, siteName } from "../lib/text.ts";
import { endings, findPath, lineTo, type Node, nodesBelow, ownOf, treeOf } from "../lib/tree.ts";
import { at } from "../state/place.ts";
import { chosenSites, nameOf, shades, siteOf } from "../state/sites.ts";
import { moment } from "../state/timeline.ts";

/** Tiles beyond these would be too small to see; they are one. */
const MOST_TILES = 400;

/**
 * A frame, with the shape of the site that ends there. Where the stack has no better name for the
 * site than itself and the compiled program has one, that stands behind it.
 */
export function nodeName(node: Node): string {
  const site = node.site === null ? undefined : siteOf(node.site);
  const frame = frameText(node.name);
  if (!site) return frame;
  if (site.source === "hlo" && site.op !== node.name) return `${frame} · ${siteName(site)}`;
  return [frame, shapeText(site)].filter(Boolean).join(" ");
}

/** The colour of a frame: its largest site's below. */
export function shadeBelow(node: Node) {
  let here = node;
  while (here.site === null && here.children[0]) here = here.children[0];
  return here.site === null ? undefined : shades.value.get(here.site);
}

export interface TreeTile extends Tile {
  readonly site: number | null;
}

/** The sites below a frame as areas, under the frames where the paths to them part. */
export function tilesOf(focus: Node): TreeTile[] {
  const found = endings(focus);
  const groups = [...new Set(found.map((one) => one.group))];
  const parted = groups.length > 1 && groups.some((group) => group.children.length > 0);
  const tiles = found.slice(0, MOST_TILES).map(({ group, site, value }) => ({
    name: site === null ? "smaller frames" : nameOf(site),
    size: value,
    shade: site === null ? undefined : shades.value.get(site),
    chosen: site !== null && chosenSites.value.has(site),
    site,
    ...(parted ? { group: nodeName(group) } : {}),
  }));
  const rest = found.slice(MOST_TILES).reduce((sum, one) => sum + one.value, 0);
  if (rest > 0) {
    const name = `${grouped(found.length - MOST_TILES)} smaller`;
    const more = { name, size: rest, shade: undefined, chosen: false, site: null };
    tiles.push(parted ? { ...more, group: "the rest" } : more);
  }
  return tiles;
}

export interface PathRow {
  readonly node: Node;
  readonly path: string;
  readonly own: number;
  readonly blocks: number;
}

/** A row for each frame that blocks end at, below `focus`; what ends there and not further down. */
export function pathRows(focus: Node): PathRow[] {
  const paths = new Map<Node | null, string>();
  const pathOf = (node: Node): string => {
    const above = node.parent ? paths.get(node.parent) : undefined;
    const path = above ? `${above} › ${nodeName(node)}` : node.parent ? nodeName(node) : "";
    paths.set(node, path);
    return path;
  };
  for (const node of lineTo(focus)) pathOf(node);
  return nodesBelow(focus).flatMap((node) => {
    const path = pathOf(node);
    if (node.site === null) return [];
    const own = ownOf(node, (one) => one.value);
    return [{ node, path, own, blocks: ownOf(node, (one) => one.blocks) }];
  });
}

export const WEIGHTS = {
  survivors: "still live at the end",
  live: "live at the moment",
  time: "bytes × lifetime",
  churn: "all that was allocated",
} as const;
export type Weight = keyof typeof WEIGHTS;

/** What the server calls them. */
export const OF = {
  survivors: "survivors",
  live: "live",
  time: "byte_seconds",
  churn: "allocated",
} as const;

export const byteSeconds = (value: number) => `${bytes(value)}·s`;

/** An answer made ready to look at. */
export interface Seen {
  readonly tree: FlamePayload;
  readonly root: Node;
  readonly depth: number;
  /** Whether there are frames that no chart is wide enough to show. */
  readonly thin: boolean;
}

/** No chart is wider: a smaller share than one of these may lie under a pixel. */
const PIXELS = 1200;

export function look(tree: FlamePayload): Seen {
  const root = treeOf(tree, "all");
  const nodes = nodesBelow(root);
  return {
    tree,
    root,
    depth: nodes.reduce((most, node) => Math.max(most, node.depth), 0),
    thin: nodes.some((node) => node.value * PIXELS < root.value),
  };
}

export function titleOf({ of, at_ns }: FlamePayload): string {
  if (of === "live")
    return `Live at ${moment.value === null ? "the peak, " : ""}${duration(at_ns)}`;
  const weight = (Object.keys(OF) as Weight[]).find((key) => OF[key] === of) ?? "survivors";
  return capital(WEIGHTS[weight]);
}

export const secondsOf = (tree: FlamePayload) => tree.ranked_by === "byte_seconds";
export const focusOf = (root: Node) => findPath(root, parsePath(at("frame"))) ?? root;

/** The table behind both charts. */
export function tableOf(focus: Node, seconds: boolean) {
  return {
    header: ["Path", seconds ? "Bytes × s" : "Bytes", "Blocks"],
    rows: () =>
      pathRows(focus).map((row) => [
        row.path,
        seconds ? byteSeconds(row.own) : grouped(row.own),
        grouped(row.blocks),
      ]),
  };
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A path in the address: a JSON list, since names may hold any separator. */
export function formatPath(node: Node): string {
  const path = lineTo(node).map((one) => one.key);
  return path.length > 0 ? JSON.stringify(path) : "";
}

export function parsePath(text: string): string[] {
  try {
    const path: unknown = JSON.parse(text);
    return Array.isArray(path) ? path.map(String) : [];
  } catch {
    return [];
  }
}
