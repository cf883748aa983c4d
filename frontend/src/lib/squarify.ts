/** A treemap: rectangles with areas in proportion, as square as can be (squarified layout). */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The worst aspect ratio of a row of areas laid along a side. */
function worst(row: readonly number[], sum: number, side: number): number {
  const depth = sum / side;
  return row.reduce((most, area) => {
    const length = area / depth;
    return Math.max(most, length / depth, depth / length);
  }, 0);
}

/** Lay out `sizes` (positive, largest first) in `box`; one box a size, in the same order. */
export function squarify(sizes: readonly number[], box: Box): Box[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const scale = total > 0 ? (box.width * box.height) / total : 0;
  const boxes: Box[] = [];
  let rest = box;
  let from = 0;
  while (from < sizes.length) {
    const side = Math.min(rest.width, rest.height);
    const row: number[] = [];
    let sum = 0;
    let ratio = Number.POSITIVE_INFINITY;
    for (let next = from; next < sizes.length; next += 1) {
      const area = (sizes[next] ?? 0) * scale;
      const better = worst([...row, area], sum + area, side);
      if (better > ratio) break;
      row.push(area);
      sum += area;
      ratio = better;
    }
    if (row.length === 0) row.push(0);
    rest = layRow(row, sum, rest, boxes);
    from += row.length;
  }
  return boxes;
}

/** What a group's name takes from its top, where there is room for it. */
const HEAD = 16;

/** Lay out groups of sizes, each group's within its own box; `head` tells which groups show names. */
export function squarifyGroups(
  groups: readonly (readonly number[])[],
  box: Box,
): { boxes: Box[]; heads: (Box | null)[] } {
  const outer = squarify(
    groups.map((sizes) => sizes.reduce((sum, size) => sum + size, 0)),
    box,
  );
  const boxes: Box[] = [];
  const heads = groups.map((sizes, index) => {
    const whole = outer[index] as Box;
    const named = groups.length > 1 && whole.width >= 48 && whole.height >= 3 * HEAD;
    const taken = named ? HEAD : 0;
    const inner = { ...whole, y: whole.y + taken, height: whole.height - taken };
    boxes.push(
      ...squarify(sizes, groups.length > 1 ? { ...inner, width: inner.width - 2 } : inner),
    );
    return named ? { ...whole, height: HEAD } : null;
  });
  return { boxes, heads };
}

/** Put a row along the shorter side of `rest`; return what is left of it. */
function layRow(row: readonly number[], sum: number, rest: Box, boxes: Box[]): Box {
  const upright = rest.width >= rest.height;
  const side = upright ? rest.height : rest.width;
  const depth = side > 0 ? sum / side : 0;
  let along = 0;
  for (const area of row) {
    const length = depth > 0 ? area / depth : 0;
    boxes.push(
      upright
        ? { x: rest.x, y: rest.y + along, width: depth, height: length }
        : { x: rest.x + along, y: rest.y, width: length, height: depth },
    );
    along += length;
  }
  return upright
    ? { x: rest.x + depth, y: rest.y, width: Math.max(0, rest.width - depth), height: rest.height }
    : { x: rest.x, y: rest.y + depth, width: rest.width, height: Math.max(0, rest.height - depth) };
}
