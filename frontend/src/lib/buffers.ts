/** Buffers of a program as rows with their text in place. */
import type { BufferColumns } from "../api/programs.ts";
import { rowsOf } from "./columns.ts";

type Raw = ReturnType<typeof rowsOf<BufferColumns>>[number];
type Text = "kind" | "instruction" | "opcode" | "op_name" | "shape" | "source";
export type BufferRow = Omit<Raw, Text> & Record<Text, string>;

/** Read buffers, with `strings` for their text. */
export function buffersOf(columns: BufferColumns, strings: readonly string[]): BufferRow[] {
  const text = (index: number) => strings[index] ?? "";
  return rowsOf(columns).map((row) => ({
    ...row,
    kind: text(row.kind),
    instruction: text(row.instruction),
    opcode: text(row.opcode),
    op_name: text(row.op_name),
    shape: text(row.shape),
    source: text(row.source),
  }));
}

/** What a buffer is best called: its framework op, else its instruction. */
export function bufferName(row: BufferRow): string {
  return row.op_name || row.instruction || `buffer ${row.buffer}`;
}

/** Bytes that padding adds; null where the unpadded size is not told. */
export function paddingOf(row: BufferRow): number | null {
  return row.unpadded_bytes === null ? null : row.size_bytes - row.unpadded_bytes;
}
