/** Names from a profile: shown as text, cut in the middle where they are too long. */

/** Marks that turn the text after them around, a verdict too, are written out. */
export function upright(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, (mark) => {
    return `\\u${mark.charCodeAt(0).toString(16)}`;
  });
}

/** Cut in the middle, since the ends of a name tell most; whole characters only. */
export function cutMiddle(text: string, most: number): string {
  const characters = Array.from(text);
  if (characters.length <= most) return text;
  const tail = Math.floor((most - 1) / 2);
  return `${characters.slice(0, most - 1 - tail).join("")}…${characters.slice(-tail).join("")}`;
}

/** Shape and type on one line; "" where neither is told. */
export function shapeText({ shape, dtype }: { shape: string; dtype: string }): string {
  return [shape, dtype].filter(Boolean).join(" ");
}

/** The name of a site on one line: op, shape, type. */
export function siteName(site: { op: string; shape: string; dtype: string }): string {
  return [site.op || "unknown origin", shapeText(site)].filter(Boolean).join(" ");
}

/** Whether a frame is a Python function of known file and line. */
export const isPython = (frame: string): boolean => /^\$.+:\d+ /.test(frame);

/** A Python frame, `$file.py:12 name`, in words; any other frame stands for itself. */
export function frameText(frame: string): string {
  const match = /^\$?(.+\.py):(\d+) (.+)$/.exec(frame);
  return match ? `in ${match[3]} (${match[1]}:${match[2]})` : frame.replace(/^\$/, "");
}

/** Where a stack of a snapshot begins: `function (file.py:12)`. */
export const placeText = (frame: string): string => frameText(frame).replace(/^in /, "");

/** `name (file.py:12)`, of which the name, and calls such as `x.numpy()`. */
const CODE = /[^\s()]+(?= \([^\s():]+:\d+\))|[\w.[\]]+\((?:[^()]|\([^()]*\))*\)/g;

/** Advice in pieces: what it names of the person's code stands out. */
export function emphasised(text: string): { text: string; strong: boolean }[] {
  const parts: { text: string; strong: boolean }[] = [];
  let from = 0;
  for (const { 0: code, index } of text.matchAll(CODE)) {
    if (index > from) parts.push({ text: text.slice(from, index), strong: false });
    parts.push({ text: code, strong: true });
    from = index + code.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), strong: false });
  return parts;
}
