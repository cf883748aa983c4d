/** What lies under one pixel, in words: a block, several of a site, or several of several sites. */
import { counted } from "./numbers.ts";

/** `site` is -1 where there is no site, or where the blocks have several. */
export function lumpText(
  site: number,
  count: number,
  end: string | null,
  nameOf: (site: number) => string,
): string {
  if (count <= 1) return nameOf(site);
  const blocks = counted(count, "block");
  if (site >= 0) return `${blocks} of ${nameOf(site)}`;
  return end === "pre-window" ? `${blocks} ${nameOf(site)}` : `${blocks} of several sites`;
}
