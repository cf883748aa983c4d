/**
 * TensorBoard's reload, heard through its frame protocol.
 *
 * We send one port to the parent; messages over it are JSON strings, and each one that is not a
 * reply wants a reply. `experimental.DataReloaded` goes to all frames, hidden ones too.
 */
import { isEmbedded } from "./parent.ts";

interface Message {
  type?: string;
  id?: number;
  isReply?: boolean;
}

function parse(data: unknown): Message {
  if (typeof data !== "string") return {};
  const message: unknown = JSON.parse(data);
  return typeof message === "object" && message !== null ? message : {};
}

/** Call back after each reload of TensorBoard's data, by button or by timer. */
export function onDataReloaded(callback: () => void): void {
  if (!isEmbedded()) return;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = (event) => {
    const { type, id, isReply } = parse(event.data);
    if (isReply) return;
    port1.postMessage(JSON.stringify({ type, id, payload: null, error: null, isReply: true }));
    if (type === "experimental.DataReloaded") callback();
  };
  window.parent.postMessage("experimental.bootstrap", "*", [port2]);
}
