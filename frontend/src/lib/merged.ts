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

/** What leads where there are no memory events; mere information does not. */
export function leading(host: HostReport): Finding | undefined {
  const first = allFindings(undefined, host)[0]?.finding;
  return first?.severity === "info" ? undefined : first;
}

/** The finding that leads as the sentence that stands largest. */
export function leadingText(finding: Finding): string {
  return finding.kind === "snapshot_growth" ? "The snapshots grow." : `${finding.title}.`;
}
