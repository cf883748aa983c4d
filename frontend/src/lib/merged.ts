/** All findings of a host in one list: those of the memory, of snapshots, of programs. */
import type { Finding, HostReport, MemoryReport, ProgramRef } from "../api/wire.ts";

export interface Listed {
  readonly finding: Finding;
  /** Where its evidence is, when that is not in blocks. */
  readonly origin: "memory" | "snapshots" | ProgramRef;
}

const WEIGHT = { high: 0, medium: 1, low: 2, info: 3 } as const;

/** What to act on first stands first: by severity, then memory before snapshots before programs. */
export function allFindings(memory: MemoryReport | undefined, host: HostReport): Listed[] {
  const listed: Listed[] = [
    ...(memory?.findings ?? []).map((finding) => ({ finding, origin: "memory" as const })),
    ...host.snapshots.flatMap(({ findings }) =>
      findings.map((finding) => ({ finding, origin: "snapshots" as const })),
    ),
    ...host.modules.flatMap(({ findings, name, program_id }) =>
      findings.map((finding) => ({ finding, origin: { name, program_id } })),
    ),
  ];
  const weight = ({ finding }: Listed) => WEIGHT[finding.severity] ?? WEIGHT.info;
  return listed.sort((a, b) => weight(a) - weight(b));
}

/** The worst growth between snapshots, if any is sure. */
export function snapshotGrowth(host: HostReport): Finding | undefined {
  return host.snapshots
    .flatMap((one) => one.findings)
    .find((one) => one.kind === "snapshot_growth" && one.severity === "high");
}
