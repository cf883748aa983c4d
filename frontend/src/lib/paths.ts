/** The path of a site in a flame graph: by the stack of its allocation, or by the parts of its name. */
export type Grouping = "stack" | "op";

interface SiteLike {
  readonly op: string;
  readonly shape: string;
  readonly dtype: string;
  readonly stack: readonly string[];
  readonly thread: string;
}

/** Outermost first. The site itself, with its shape, is the last frame. */
export function sitePath(site: SiteLike, by: Grouping): string[] {
  const variant = [site.shape, site.dtype].filter(Boolean).join(" ");
  if (by === "op") {
    const parts = site.op === "" ? ["unknown origin"] : site.op.split("/").filter(Boolean);
    return variant ? [...parts, variant] : parts;
  }
  const leaf = [site.op || "unknown origin", variant].filter(Boolean).join(" ");
  const frames = [...site.stack].reverse();
  return frames.length > 0 ? [...frames, leaf] : [`thread ${site.thread || "?"}`, leaf];
}
