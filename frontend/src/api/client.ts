/**
 * The one place that fetches. A route and its parameters make an address relative to the document
 * (TensorBoard gives the frame the right base under any path prefix).
 *
 * A report file carries its answers inside the page; then nothing is fetched.
 */
import type { ErrorPayload } from "./wire.ts";

export type Params = Readonly<Record<string, string | number | null | undefined>>;

/** What went wrong, in the server's words where it had any. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    readonly code: string,
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

/** The address of a route; empty and absent parameters are left out. */
export function address(route: string, params: Params = {}): string {
  const query = Object.entries(params)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`)
    .join("&");
  return query === "" ? route : `${route}?${query}`;
}

function isErrorPayload(body: unknown): body is ErrorPayload {
  return typeof body === "object" && body !== null && "error" in body;
}

/**
 * Who waits, for the server: what it computes for this page alone it stops when this page gives up.
 * (`crypto.randomUUID` is missing where TensorBoard is reached over plain HTTP.)
 */
const WAIT = crypto.getRandomValues(new Uint32Array(4)).join("-");

/** Fetch one address and hand back its JSON, trusted to have the shape the route promises. */
export async function fetchJson<T>(url: string, signal: AbortSignal): Promise<T> {
  const inside = insideData();
  if (inside) return inside<T>(url);
  let response: Response;
  try {
    response = await fetch(`${url}${url.includes("?") ? "&" : "?"}wait=${WAIT}`, {
      signal,
      headers: { accept: "application/json" },
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ApiError(
      "unreachable",
      "TensorBoard does not answer.",
      "See that it is still running, then load the page again.",
    );
  }
  const body: unknown = await response.json().catch(() => null);
  if (isErrorPayload(body))
    throw new ApiError(body.error.code, body.error.message, body.error.hint);
  if (!response.ok || body === null) {
    throw new ApiError(
      `http_${response.status}`,
      `The server answered ${response.status} to ${url.split("?")[0]}.`,
      "TensorBoard's log in the terminal tells more.",
    );
  }
  return body as T;
}

/** The code of an error that is none: a report file holds a part of what the server knows. */
export const NOT_IN_FILE = "not_in_file";

type Inside = <T>(url: string) => T;

/** How much to draw, and what may come first: a report file has one answer for all of them. */
const DRAWING = new Set(["pixels", "width", "height", "start_ns", "end_ns", "limit", "parts"]);

const GIVE_UP_MS = 10_000;

/** Tell the server that nobody here waits for a host any more; it may go on for others. */
export function giveUp(session: string, host: string): void {
  fetchJson(address("stop", { session, host }), AbortSignal.timeout(GIVE_UP_MS)).catch(() => {
    // The reading then ends by itself: nothing is lost but time.
  });
}

/** The key of an answer in a report file: the route, and its parameters in order of their names. */
export function fileKey(url: string): string {
  const [route = "", query = ""] = url.split("?");
  const kept = query
    .split("&")
    .filter((part) => part !== "" && !DRAWING.has(part.split("=")[0] ?? ""))
    .sort();
  return kept.length > 0 ? `${route}?${kept.join("&")}` : route;
}

/** What a report file does not hold, by route, in the words of the person who asks for it. */
const LACKS: Record<string, string> = {
  live: "no other moment than the peak",
  addresses: "no other moment than the peak",
  range: "no stretches of time",
  block: "no single blocks",
  fit: "no answer to what would fit",
  site: "no more blocks than these",
};

let answers: Record<string, unknown> | null | undefined;

function insideData(): Inside | null {
  if (answers === undefined) {
    const text = document.getElementById("leak-finder-data")?.textContent;
    answers = text ? (JSON.parse(text) as Record<string, unknown>) : null;
  }
  const held = answers;
  if (!held) return null;
  return <T>(url: string): T => {
    const key = fileKey(url);
    if (key in held) return held[key] as T;
    throw new ApiError(
      NOT_IN_FILE,
      `This report file holds ${LACKS[url.split("?")[0] ?? ""] ?? "no such part"}.`,
      "Open the session in TensorBoard to see it.",
    );
  };
}
