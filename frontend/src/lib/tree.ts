/** A tree of names with values, for flame graphs: equal paths share their nodes. */
export interface Node {
  readonly name: string;
  /** Own and below. */
  value: number;
  readonly depth: number;
  readonly parent: Node | null;
  readonly children: Node[];
  /** The site that ends here, if exactly one does. */
  site: number | null;
}

export interface Leaf {
  /** Outermost first. */
  readonly path: readonly string[];
  readonly value: number;
  readonly site: number;
}

/** Build the tree under `root`; children stand largest first, equal ones by name. */
export function buildTree(root: string, leaves: readonly Leaf[]): Node {
  const top = node(root, null);
  const index = new Map<Node, Map<string, Node>>();
  for (const leaf of leaves) {
    if (!(leaf.value > 0)) continue;
    let here = top;
    here.value += leaf.value;
    for (const name of leaf.path) {
      const children = index.get(here) ?? new Map<string, Node>();
      index.set(here, children);
      const next = children.get(name) ?? node(name, here);
      if (!children.has(name)) {
        children.set(name, next);
        here.children.push(next);
      }
      here = next;
      here.value += leaf.value;
    }
    here.site = leaf.site;
  }
  sortBelow(top);
  return top;
}

function node(name: string, parent: Node | null): Node {
  const depth = parent ? parent.depth + 1 : 0;
  return { name, value: 0, depth, parent, children: [], site: null };
}

function sortBelow(top: Node): void {
  const open = [top];
  for (let here = open.pop(); here; here = open.pop()) {
    here.children.sort((a, b) => b.value - a.value || (a.name < b.name ? -1 : 1));
    open.push(...here.children);
  }
}

export interface Bar {
  readonly node: Node;
  readonly left: number;
  readonly width: number;
  readonly row: number;
}

/** Bars for what is below (and above) `focus`, in shares of its width; thinner than `least` is left out. */
export function flameBars(focus: Node, least: number): Bar[] {
  const bars: Bar[] = [];
  for (let above = focus.parent; above; above = above.parent) {
    bars.push({ node: above, left: 0, width: 1, row: above.depth });
  }
  const open: Bar[] = [{ node: focus, left: 0, width: 1, row: focus.depth }];
  for (let bar = open.pop(); bar; bar = open.pop()) {
    bars.push(bar);
    let left = bar.left;
    for (const child of bar.node.children) {
      const width = focus.value > 0 ? child.value / focus.value : 0;
      if (width >= least) open.push({ node: child, left, width, row: child.depth });
      left += width;
    }
  }
  return bars;
}

/** The names from below the root to this node, outermost first. */
export function pathOf(node: Node): string[] {
  const names: string[] = [];
  for (let here: Node | null = node; here?.parent; here = here.parent) names.unshift(here.name);
  return names;
}

/** Follow names down from the root; null where the tree has no such path. */
export function findPath(root: Node, path: readonly string[]): Node | null {
  let here: Node | undefined = root;
  for (const name of path) here = here?.children.find((child) => child.name === name);
  return here ?? null;
}

/** The deepest row of the tree. */
export function depthOf(root: Node): number {
  let most = 0;
  const open = [root];
  for (let here = open.pop(); here; here = open.pop()) {
    most = Math.max(most, here.depth);
    open.push(...here.children);
  }
  return most;
}
