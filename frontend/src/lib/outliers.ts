/** Which host or device is the odd one out: it differs from most of its peers. */
import type { Verdict } from "../api/wire.ts";

export interface Peer {
  readonly verdict: Verdict;
  readonly rate: number;
}

const LEAST_PEERS = 3;
const SPREADS = 5;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? 0) + high) / 2;
}

/**
 * For each peer, whether it is odd: its verdict is not that of more than half, or its rate lies
 * further from the median than five median deviations (and than a tenth of the median). Fewer
 * than three peers have no odd one. Blind spot: two equal halves have none either.
 */
export function oddOnes(peers: readonly Peer[]): boolean[] {
  if (peers.length < LEAST_PEERS) return peers.map(() => false);
  const counts = new Map<Verdict, number>();
  for (const { verdict } of peers) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const usual = [...counts].find(([, count]) => count * 2 > peers.length)?.[0];
  const rates = peers.map((peer) => peer.rate);
  const centre = median(rates);
  const spread = median(rates.map((rate) => Math.abs(rate - centre)));
  const far = Math.max(SPREADS * spread, Math.abs(centre) / 10);
  return peers.map(
    ({ verdict, rate }) =>
      (usual !== undefined && verdict !== usual) || Math.abs(rate - centre) > far,
  );
}
