/** What the server sends of blocks by address: the block map, one moment of it, one block. */
import type { BlockEnd, Site } from "./wire.ts";

/** Blocks as rectangles on a compact address axis; what lies under a pixel is merged. */
export interface BlockMapPayload {
  start_ns: number;
  end_ns: number;
  low: number;
  high: number;
  blocks: number;
  rects: number;
  merged: boolean;
  regions: { address: string; offset: number; size_bytes: number }[];
  /** Absent from older servers, as is the column `region` that indexes it. */
  region_names?: string[];
  columns: {
    start_ns: number[];
    end_ns: number[];
    offset: number[];
    size_bytes: number[];
    site: number[];
    region?: (number | null)[];
    born_step: (number | null)[];
    age_steps: (number | null)[];
    end: (BlockEnd | "mixed")[];
    count: number[];
    block: (number | null)[];
  };
}

/** The address space at one moment on the axis of the block map, piece by piece without a gap. */
export interface AddressesPayload {
  at_ns: number;
  length_bytes: number;
  used_bytes: number;
  blocks: number;
  pieces: number;
  merged: boolean;
  cell_bytes: number;
  regions: { address: string; offset: number; size_bytes: number }[];
  region_names: string[];
  columns: {
    offset: number[];
    size_bytes: number[];
    used_bytes: number[];
    use: ("in_use" | "free" | "unknown" | "mixed")[];
    site: number[];
    region: (number | null)[];
    born_step: (number | null)[];
    age_steps: (number | null)[];
    end: (BlockEnd | null)[];
    count: number[];
    block: (number | null)[];
  };
}

export interface BlockPayload {
  address: string;
  born_ns: number | null;
  freed_ns: number | null;
  born_step: number | null;
  age_steps: number | null;
  requested_bytes: number | null;
  allocation_bytes: number | null;
  thread: string;
  shape: string;
  dtype: string;
  end: BlockEnd;
  site: Site;
  site_index: number;
}
