/** What the server sends, named as it names it. Unknown is null; columns have equal lengths. */

export interface Warning {
  code: string;
  message: string;
  hint: string;
}

export interface HostEntry {
  host: string;
  size_bytes: number;
  formats: string[];
}

export interface SessionEntry {
  id: string;
  run: string;
  session: string;
  hosts: HostEntry[];
}

export interface SessionsPayload {
  generator: string;
  sessions: SessionEntry[];
  warnings: Warning[];
}

export type Verdict = "leak" | "no_leak" | "inconclusive" | "no_events";
export type Severity = "high" | "medium" | "low" | "info";
export type FindingKind =
  | "growth"
  | "retained"
  | "bounded"
  | "delayed_free"
  | "in_flight"
  | "fragmentation"
  | "program_long_buffer"
  | "missing_donation"
  | "recompilation"
  | "snapshot_growth";

export interface Site {
  op: string;
  shape: string;
  dtype: string;
  region: string;
  thread: string;
  stack: string[];
  source: string;
  unknown_why?: string;
}

export interface Finding {
  id: string;
  kind: FindingKind;
  /** Why this is set aside (the configuration says so); null where it is not. */
  expected?: string | null;
  /** How the kind shows over the steps, in a few words. */
  pattern?: string;
  severity: Severity;
  confidence: number | null;
  title: string;
  detail: string;
  advice: string;
  site: Site | null;
  blocks: number | null;
  bytes: number | null;
  requested_bytes: number | null;
  bytes_per_step: number | null;
  rate_low_bytes?: number | null;
  rate_high_bytes?: number | null;
  first_step: number | null;
  last_step: number | null;
  steps_with_survivors: number | null;
  parts?: Finding[];
}

export interface Totals {
  allocations: number;
  deallocations: number;
  prewindow_deallocations: number;
  lost: number;
  baseline_bytes: number | null;
  end_bytes: number | null;
  peak_bytes: number | null;
  peak_ns: number | null;
  capacity_bytes: number | null;
  lifetime_peak_bytes: number | null;
  survivor_blocks: number;
  survivor_bytes: number | null;
  unaccounted_bytes: number | null;
  growth_bytes_per_step: number | null;
  steps_to_oom: number | null;
  steps_to_oom_low?: number | null;
  steps_to_oom_high?: number | null;
}

export interface MemoryReport {
  /** Null on a host without memory events. */
  memory_id: string | null;
  verdict: Verdict;
  confidence: number | null;
  reason: string;
  totals: Totals;
  findings: Finding[];
  warnings?: Warning[];
}

export interface StepsReport {
  count: number;
  source: "markers" | "modules" | "pattern" | "slices" | "none";
  first: number | null;
  last: number | null;
  /** The usual length of a step. */
  median_ns?: number | null;
}

export interface ProgramRef {
  name: string;
  program_id: string | number;
}

export interface ModuleReport extends ProgramRef {
  peak_bytes: number | null;
  findings: Finding[];
}

export interface HostReport {
  host: string;
  files: { name: string; bytes: number }[];
  warnings: Warning[];
  steps: StepsReport;
  memories: MemoryReport[];
  modules: ModuleReport[];
  snapshots: { findings: Finding[] }[];
}

export interface Report {
  schema_version: number;
  generator: string;
  /** The file that says what is expected to grow. */
  config?: string | null;
  sessions: { run: string; session: string; hosts: HostReport[] }[];
}

export interface TimelinePayload {
  memory_id: string;
  start_ns: number;
  end_ns: number;
  events: number;
  points: number;
  sampled: boolean;
  columns: {
    time_ns: number[];
    stack_bytes: (number | null)[];
    heap_bytes: (number | null)[];
    free_bytes: (number | null)[];
    fragmentation: (number | null)[];
  };
  steps: {
    source: string;
    count: number;
    merged: boolean;
    start_ns: number[];
    end_ns: number[];
    number: number[];
  };
  growth: {
    bytes_per_step: number;
    columns: { time_ns: number[]; bytes: number[] };
  } | null;
  peak: { time_ns: number; bytes: number } | null;
}

export interface SitesPayload {
  columns: {
    index: number[];
    op: string[];
    shape: string[];
    dtype: string[];
    region: string[];
    source: string[];
    stack: string[][];
    thread: string[];
    allocations: number[];
    deallocations: number[];
    survivors: number[];
    survivor_bytes: number[];
    survivor_requested_bytes: (number | null)[];
    allocated_bytes: number[];
    rounding_bytes: number[];
    peak_live_bytes: number[];
    bytes_per_step: (number | null)[];
    /** Bytes times seconds alive; absent from older servers. */
    byte_seconds?: number[];
    kind: (FindingKind | null)[];
    finding: (string | null)[];
  };
  total: number;
}

export type BlockEnd = "survived" | "freed" | "lost" | "pre-window";

export interface BlockColumns {
  block: number[];
  site: number[];
  address: string[];
  born_ns: (number | null)[];
  freed_ns: (number | null)[];
  born_step: (number | null)[];
  age_steps: (number | null)[];
  requested_bytes: (number | null)[];
  allocation_bytes: (number | null)[];
  thread: string[];
  shape: string[];
  dtype: string[];
  end: BlockEnd[];
}

export interface SitePayload {
  site: Site;
  survivors_by_step: { number: number[]; blocks: number[]; bytes: number[] };
  live: { time_ns: number[]; bytes: number[]; sampled: boolean };
  /** What each step leaves to the next, aligned with `survivors_by_step`; absent from older servers. */
  handed_on?: { blocks: number[]; bytes: number[]; requested_bytes: number[] };
  blocks: { total: number; offset: number; columns: BlockColumns };
}

export type Phase =
  | "waiting"
  | "fetching"
  | "reading"
  | "analysing"
  | "programs"
  | "naming"
  | "snapshots";

/** How far the reading of a host is; `phase` is null when there is none. */
export interface ProgressPayload {
  phase: Phase | null;
  done: number;
  total: number | null;
}

export interface ErrorPayload {
  error: { code: string; message: string; hint: string };
}

/** Everything live at one moment, by site. */
export interface LivePayload {
  at_ns: number;
  step: number | null;
  bytes: number | null;
  blocks: number;
  baseline: { bytes: number | null; freed_later_bytes: number | null; note: string };
  free_bytes: number | null;
  fragmentation: number | null;
  largest_free: { allocator_bytes: number | null; seen_bytes: number | null };
  columns: {
    site: number[];
    blocks: number[];
    bytes: number[];
    requested_bytes: (number | null)[];
    oldest_step: (number | null)[];
    age_steps: (number | null)[];
  };
  holes: {
    total: number;
    columns: { address: string[]; bytes: number[]; below_site: number[]; above_site: number[] };
  };
}

/** What a stretch of time made, freed and left, by site. */
export interface RangePayload {
  start_ns: number;
  end_ns: number;
  then_ns: number | null;
  totals: RangeTotals;
  columns: {
    site: number[];
    born_blocks: number[];
    born_bytes: number[];
    freed_blocks: number[];
    freed_bytes: number[];
    net_bytes: number[];
    left_blocks: number[];
    left_bytes: number[];
    survived_blocks: number[];
    survived_bytes: number[];
  };
}

export interface RangeTotals {
  born_blocks: number;
  born_bytes: number;
  freed_blocks: number;
  freed_bytes: number;
  net_bytes: number;
  left_blocks: number;
  left_bytes: number;
  survived_blocks: number;
  survived_bytes: number;
}

export interface CompareSide {
  session: string;
  host: string;
  memory_id: string;
  verdict: Verdict;
  confidence: number | null;
  reason: string;
  totals: Totals;
  steps: StepsReport;
  bytes_per_step: number | null;
  rate_low_bytes: number | null;
  rate_high_bytes: number | null;
}

export interface ComparePayload {
  outcome: "fixed" | "slower" | "same" | "faster" | "new_leak" | "no_leak" | "unclear";
  confidence: number | null;
  reason: string;
  notes: string[];
  before: CompareSide;
  after: CompareSide;
  total: number;
  columns: {
    op: string[];
    shape: string[];
    dtype: string[];
    matched_by: string[];
    change: (string | null)[];
    before_bytes_per_step: (number | null)[];
    after_bytes_per_step: (number | null)[];
    before_live_bytes: (number | null)[];
    after_live_bytes: (number | null)[];
    before_live_blocks: (number | null)[];
    after_live_blocks: (number | null)[];
  };
}
