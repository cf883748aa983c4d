/** The tree of frames that the server sends: what each holds with all below it. */
import type { FlamePayload } from "../api/frames.ts";

export interface Node {
  readonly name: string;
  /** Own and below, in what the answer ranks by. */
  readonly value: number;
  readonly blocks: number;
  readonly depth: number;
  readonly parent: Node | null;
  /** Largest first. */
  readonly children: Node[];
  /** The site whose blocks end here, if one's do. */
  readonly site: number | null;
  /** Names the node among its siblings: its name, and a number where an earlier one has it too. */
  readonly key: string;
}

/** Build the tree; the root is called `root`. Rows stand largest first, a parent above its own. */
export function treeOf({ frames, columns, ranked_by }: FlamePayload, root: string): Node {
  const values = columns[ranked_by];
  const taken = new Map<Node, Map<string, number>>();
  const nodes: Node[] = [];
  for (const [row, frame] of columns.frame.entries()) {
    const above = columns.parent[row] ?? null;
    const parent = above === null ? null : (nodes[above] ?? null);
    const name = parent ? (frames[frame] ?? "") : root;
    const node = {
      name,
      value: values[row] ?? 0,
      blocks: columns.blocks[row] ?? 0,
      depth: parent ? parent.depth + 1 : 0,
      parent,
      children: [],
      site: columns.site[row] ?? null,
      key: parent ? keyAmong(taken, parent, name) : "",
    };
    nodes.push(node);
    parent?.children.push(node);
  }
  return nodes[0] as Node;
}

function keyAmong(taken: Map<Node, Map<string, number>>, parent: Node, name: string): string {
  const counts = taken.get(parent) ?? new Map<string, number>();
  taken.set(parent, counts);
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return count > 1 ? `${name} (${count})` : name;
}

export interface Bar {
  /** The node; of several that are merged the largest. */
  readonly node: Node;
  readonly count: number;
  readonly value: number;
  readonly left: number;
  readonly width: number;
  readonly row: number;
}

/**
 * Bars for what is below (and above) `focus`, in shares of its width. Neighbours that are thinner
 * than `least` each are one bar: nothing is lost from sight, and huge trees are drawn as fast.
 */
export function flameBars(focus: Node, least: number): Bar[] {
  const bar = (node: Node, left: number, width: number): Bar => ({
    node,
    count: 1,
    value: node.value,
    left,
    width,
    row: node.depth,
  });
  const bars: Bar[] = [];
  for (let above = focus.parent; above; above = above.parent) bars.push(bar(above, 0, 1));
  const open = [bar(focus, 0, 1)];
  for (let here = open.pop(); here; here = open.pop()) {
    bars.push(here);
    let left = here.left;
    for (const [index, child] of here.node.children.entries()) {
      const width = focus.value > 0 ? child.value / focus.value : 0;
      if (width < least) {
        const rest = merged(here.node.children.slice(index), left, focus.value);
        if (rest.width > 0) bars.push(rest);
        break;
      }
      open.push(bar(child, left, width));
      left += width;
    }
  }
  return bars;
}

function merged(nodes: readonly Node[], left: number, whole: number): Bar {
  const value = nodes.reduce((sum, node) => sum + node.value, 0);
  const node = nodes[0] as Node;
  const width = whole > 0 ? value / whole : 0;
  return { node, count: nodes.length, value, left, width, row: node.depth };
}

/** The nodes from below the root to this one, outermost first. */
export function lineTo(node: Node): Node[] {
  const nodes: Node[] = [];
  for (let here = node; here.parent; here = here.parent) nodes.unshift(here);
  return nodes;
}

/** Follow keys down from the root; null where the tree has no such path. */
export function findPath(root: Node, path: readonly string[]): Node | null {
  let here: Node | undefined = root;
  for (const key of path) here = here?.children.find((child) => child.key === key);
  return here ?? null;
}

/** A node and all below it, outer ones first. */
export function nodesBelow(top: Node): Node[] {
  const found = [top];
  for (let next = 0; next < found.length; next += 1)
    for (const child of found[next]?.children ?? []) found.push(child);
  return found;
}

/** What ends at a node itself and not below it. */
export function ownOf(node: Node, figure: (node: Node) => number): number {
  return node.children.reduce((rest, child) => rest - figure(child), figure(node));
}

/** What the frames hold that a test finds: each byte once, however many of its frames are found. */
export function heldBy(top: Node, found: (node: Node) => boolean): number {
  const open = [top];
  let sum = 0;
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.parent && found(node)) sum += node.value;
    else open.push(...node.children);
  }
  return sum;
}

export interface Ending {
  /** The frame below which it is told apart from others: the first ones that differ. */
  readonly group: Node;
  /** Null: what ends in frames that are too small to be sent. */
  readonly site: number | null;
  readonly value: number;
}

/** What lies below a frame in others that were not sent: what is no site's own. */
export function unsent(top: Node): number {
  return nodesBelow(top).reduce((sum, node) => sum + unsentAt(node), 0);
}

/**
 * What each site holds under each of the frames where the paths below `focus` first part, groups
 * and their sites largest first, what is in frames that were not sent last.
 */
export function endings(focus: Node): Ending[] {
  let fork = focus;
  while (
    fork.site === null &&
    fork.children.length === 1 &&
    rest(fork, unsentAt(fork)).length === 0
  )
    fork = fork.children[0] as Node;
  if (fork.site !== null || fork.children.length === 0) return endingsIn(fork);
  return [...fork.children.flatMap(endingsIn), ...rest(fork, unsentAt(fork))];
}

function endingsIn(group: Node): Ending[] {
  const held = new Map<number, number>();
  for (const node of nodesBelow(group))
    if (node.site !== null)
      held.set(node.site, (held.get(node.site) ?? 0) + ownOf(node, (one) => one.value));
  const told: Ending[] = [...held]
    .filter(([, value]) => value > 0)
    .sort((a, b) => b[1] - a[1])
    .map(([site, value]) => ({ group, site, value }));
  return [...told, ...rest(group, unsent(group))];
}

/** What of a frame's own is no site's: frames below it that were not sent. */
function unsentAt(node: Node): number {
  return node.site === null ? ownOf(node, (one) => one.value) : 0;
}

/** Sums of bytes times seconds are rounded: what is less than this share of them is nothing. */
const ROUNDING = 1e-6;

function rest(group: Node, value: number): Ending[] {
  return value > group.value * ROUNDING ? [{ group, site: null, value }] : [];
}
