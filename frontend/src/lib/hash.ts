/**
 * Our part of TensorBoard's hash: `#leak_finder&p.leak_finder.key=value&...`.
 *
 * We parse it ourselves: what TensorBoard 2.21 hands to frames is empty on a cold load. Tokens of
 * others stay as they are, in their order. Values are percent-encoded, or TensorBoard drops them.
 */
export const PLUGIN = "leak_finder";
const PREFIX = `p.${PLUGIN}.`;

export type Fields = Readonly<Partial<Record<string, string>>>;

/** Decode what was encoded; text that is not valid percent-encoding stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Read our fields out of a hash (without "#"). */
export function parseHash(hash: string): Fields {
  const fields: Record<string, string> = {};
  for (const token of hash.split("&")) {
    const equals = token.indexOf("=");
    if (!token.startsWith(PREFIX) || equals < 0) continue;
    fields[decode(token.slice(PREFIX.length, equals))] = decode(token.slice(equals + 1));
  }
  return fields;
}

/** Put our fields into a hash in place of the ones it has; empty values are left out. */
export function formatHash(hash: string, fields: Fields): string {
  const others = hash.split("&").filter((token) => token !== "" && !token.startsWith(PREFIX));
  const ours = Object.entries(fields)
    .filter(([, value]) => value)
    .map(([key, value = ""]) => `${PREFIX}${encodeURIComponent(key)}=${encodeURIComponent(value)}`);
  return [...(others.length > 0 ? others : [PLUGIN]), ...ours].join("&");
}
