/** Names from a profile: shown as text, cut in the middle where they are too long. */

/** Cut in the middle, since the ends of a name tell most; whole characters only. */
export function cutMiddle(text: string, most: number): string {
  const characters = Array.from(text);
  if (characters.length <= most) return text;
  const tail = Math.floor((most - 1) / 2);
  return `${characters.slice(0, most - 1 - tail).join("")}…${characters.slice(-tail).join("")}`;
}

/** TensorFlow's short names of types, said as everybody says them. */
const TYPES: Record<string, string> = { float: "float32", double: "float64", half: "float16" };

/** Shape and type on one line; "" where neither is told. */
export function shapeText({ shape, dtype }: { shape: string; dtype: string }): string {
  return [shape, TYPES[dtype] ?? dtype].filter(Boolean).join(" ");
}

/** The name of a site on one line: op, shape, type. */
export function siteName(site: { op: string; shape: string; dtype: string }): string {
  return [site.op || "unknown origin", shapeText(site)].filter(Boolean).join(" ");
}

/** Whether a frame is a Python function of known file and line. */
export const isPython = (frame: string): boolean => /^\$.+:\d+ /.test(frame);

/** A tracer's Python frame, `$file.py:12 name`, in words; any other frame stands for itself. */
export function frameText(frame: string): string {
  const match = /^\$?(.+?):(\d+) (.+)$/.exec(frame);
  if (!match || !frame.startsWith("$")) return frame.replace(/^\$/, "");
  return `in ${match[3]} (${match[1]}:${match[2]})`;
}
