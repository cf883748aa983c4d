/** Addresses on the compact axis of the block map: regions side by side, the empty space cut out. */
export interface Region {
  readonly address: string;
  readonly offset: number;
  readonly size_bytes: number;
}

/** The offset of an address; null where it is cut out of the axis. */
export function offsetOf(regions: readonly Region[], address: string): number | null {
  const wanted = BigInt(address);
  for (const { address: start, offset, size_bytes } of regions) {
    const into = wanted - BigInt(start);
    if (into >= 0n && into < BigInt(size_bytes)) return offset + Number(into);
  }
  return null;
}

/** The address at an offset, exact beyond 2^53; null between regions. */
export function addressAt(regions: readonly Region[], offset: number): string | null {
  const region = regions.find(
    (one) => offset >= one.offset && offset < one.offset + one.size_bytes,
  );
  if (!region) return null;
  const address = BigInt(region.address) + BigInt(Math.round(offset - region.offset));
  return `0x${address.toString(16)}`;
}
