/** Answers about trace events: frames around allocations, and what ran meanwhile. */

/** A tree of frames, a row a node, the largest first; figures include all below. */
export interface FlamePayload {
  of: "survivors" | "live" | "allocated" | "byte_seconds";
  by: "stack" | "op" | "module";
  ranked_by: "bytes" | "byte_seconds";
  at_ns: number | null;
  baseline_bytes: number | null;
  /** Why no block has a module, where that was asked. */
  note: string | null;
  nodes: number;
  left_out: number;
  frames: string[];
  columns: {
    parent: (number | null)[];
    frame: number[];
    site: (number | null)[];
    blocks: number[];
    bytes: number[];
    byte_seconds: number[];
  };
}

/** Named spans of one kind, ordered by start; `count` says how many are merged into one. */
export interface Lane {
  kind: "steps" | "modules" | "events";
  /** Of events: 0 for the outermost, 1 for those right inside of them. */
  level: number;
  thread: string;
  spans: number;
  merged: boolean;
  columns: {
    name: string[];
    start_ns: number[];
    end_ns: number[];
    number: (string | null)[];
    count: number[];
  };
}

export interface LanesPayload {
  start_ns: number;
  end_ns: number;
  lanes: Lane[];
  total: number;
}
