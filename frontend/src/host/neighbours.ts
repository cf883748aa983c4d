/** Links to XProf's tools for the same run, host and module; they open in TensorBoard's window. */
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
