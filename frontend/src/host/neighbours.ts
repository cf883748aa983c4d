/** Links to XProf's tools for the same run, host and module; they open in TensorBoard's window. */
import type { Range } from "../lib/range.ts";
import { outerPath } from "./parent.ts";

export interface Neighbour {
  label: string;
  tool: string;
}

export const NEIGHBOURS: readonly Neighbour[] = [
  { label: "Memory Profile", tool: "memory_profile" },
  { label: "Memory Viewer", tool: "memory_viewer" },
  { label: "Trace Viewer", tool: "trace_viewer" },
];

/** XProf reads the query, not the hash. Its run is our session id. */
export function neighbourHref(
  tool: string,
  run: string,
  host: string,
  extra: Record<string, string> = {},
  path: string = outerPath(),
): string {
  const query = Object.entries({ tool, run, host, ...extra })
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
    .join("&");
  return `${path}?${query}#profile`;
}

/**
 * XProf's Trace Viewer on a stretch of time. Its tab takes none from a link, so this is the page
 * that the tab frames. Both count time from the start of the profile; it wants milliseconds.
 */
export function traceHref(
  run: string,
  host: string,
  { start, end }: Range,
  path: string = outerPath(),
): string {
  const plugin = `${path}data/plugin/profile/`;
  const data = new URLSearchParams({ run, tag: "trace_viewer@", host });
  const query = new URLSearchParams({
    is_streaming: "true",
    is_oss: "true",
    view_start: String(start / 1e6),
    view_end: String(end / 1e6),
    trace_data_url: `${plugin}data?${data}`,
  });
  return `${plugin}trace_viewer_index.html?${query}`;
}
