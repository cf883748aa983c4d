/** What the server sends about compiled programs and device-memory profiles. */
import type { Finding, Warning } from "./wire.ts";

export type ProgramId = number | string;

export interface ModulesPayload {
  columns: {
    name: string[];
    program_id: ProgramId[];
    peak_bytes: (number | null)[];
    total_bytes: number[];
    parameter_bytes: number[];
    output_bytes: number[];
    aliased_bytes: number[];
    donatable_bytes: number[];
    constant_bytes: number[];
    temporary_bytes: number[];
    generated_code_bytes: (number | null)[];
    instructions: number[];
    buffers: number[];
    compilations: number[];
    runs: (number | null)[];
    alive_outputs: (number | null)[];
    alive_output_bytes: (number | null)[];
    warnings: number[];
    findings: number[];
  };
  total: number;
  warnings: Warning[];
}

/** Buffers in columns; text is an index into the answer's `strings`. */
export interface BufferColumns {
  buffer: number[];
  size_bytes: number[];
  unpadded_bytes: (number | null)[];
  kind: number[];
  allocation: (number | null)[];
  offset_bytes: (number | null)[];
  place_bytes: (number | null)[];
  /** Points of program order; null: lives the whole program. */
  born: (number | null)[];
  freed: (number | null)[];
  sharers: number[];
  instruction: number[];
  opcode: number[];
  op_name: number[];
  shape: number[];
  source: number[];
}

export interface ModulePayload {
  name: string;
  program_id: ProgramId;
  xprof_name: string;
  instructions: number;
  computations: number;
  logical_buffers: number;
  generated_code_bytes: number | null;
  compilations: number;
  runs: number | null;
  alive_outputs: number | null;
  alive_output_bytes: number | null;
  findings: Finding[];
  warnings: Warning[];
  memory_space: number;
  memory_spaces: { memory_space: number; name: string; bytes: number }[];
  allocated: {
    total_bytes: number;
    parameter_bytes: number;
    output_bytes: number;
    aliased_bytes: number;
    constant_bytes: number;
    temporary_bytes: number;
    whole_program_bytes: number;
    untraced_bytes: number;
    fragmentation_bytes: number;
  };
  peak: { point: number | null; bytes: number | null; unpadded_bytes: number | null };
  points: {
    total: number;
    merged: boolean;
    columns: {
      point: number[];
      heap_bytes: number[];
      unpadded_heap_bytes: number[];
      instruction: number[];
    };
  };
  allocations: {
    total: number;
    left_out: number;
    columns: { allocation: number[]; base_bytes: number[]; size_bytes: number[]; kind: string[] };
  };
  buffers: { total: number; left_out: number; columns: BufferColumns };
  live: {
    point: number | null;
    total: number;
    bytes: number;
    left_out: number;
    left_out_bytes: number;
    columns: BufferColumns;
  };
  strings: string[];
}

export interface ModuleBufferPayload {
  columns: BufferColumns;
  strings: string[];
  stack: string[];
  shared_with: { total: number; instructions: string[] };
  read_by: { total: number; instructions: string[] };
}

export interface SnapshotsPayload {
  snapshots: {
    name: string;
    buffers: number;
    buffer_bytes: number;
    executables: number;
    executable_bytes: number;
  }[];
  ordered_by: string;
  sites: {
    total: number;
    columns: {
      kind: string[];
      place: string[];
      device: string[];
      stack: string[][];
      own_stack: string[][];
      counts: number[][];
      bytes: number[][];
      more_counts: number[][];
      more_bytes: number[][];
    };
  };
  findings: Finding[];
  warnings: Warning[];
}
