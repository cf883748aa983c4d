/** Hosts by memories, coloured by verdict: where to look first, and which one is the odd one out. */
import { ApiError } from "../api/client.ts";
import type { HostReport, MemoryReport, Verdict } from "../api/wire.ts";
import { grouped, signedBytes } from "../lib/numbers.ts";
import { oddOnes } from "../lib/outliers.ts";
import { VERDICT_WORDS } from "../lib/words.ts";
import { host, memory, session } from "../state/data.ts";
import { hostReports, readAll, reading, readingHost, stopReading } from "../state/overview.ts";
import { go } from "../state/place.ts";
import { Mark } from "../ui/Mark.tsx";
import { Name } from "../ui/Name.tsx";
import { Reading } from "./Reading.tsx";

const MARKS: Record<Verdict, "circle" | "diamond" | "check" | "square"> = {
  leak: "circle",
  inconclusive: "diamond",
  no_leak: "check",
  no_events: "square",
};

interface Cell {
  host: string;
  id: string;
  memory: MemoryReport;
}

const rate = (one: MemoryReport) => one.totals.growth_bytes_per_step ?? 0;

/** The cells that differ from the same memory on the other hosts. */
function oddCells(columns: ReadonlyMap<string, Cell[]>): Set<MemoryReport> {
  const odd = new Set<MemoryReport>();
  for (const cells of columns.values()) {
    const flags = oddOnes(
      cells.map(({ memory: one }) => ({ verdict: one.verdict, rate: rate(one) })),
    );
    for (const [i, cell] of cells.entries()) if (flags[i]) odd.add(cell.memory);
  }
  return odd;
}

function columnsOf(reports: readonly HostReport[]): Map<string, Cell[]> {
  const columns = new Map<string, Cell[]>();
  for (const report of reports) {
    for (const one of report.memories) {
      const id = one.memory_id;
      if (id === null || one.verdict === "no_events") continue;
      columns.set(id, [...(columns.get(id) ?? []), { host: report.host, id, memory: one }]);
    }
  }
  return columns;
}

function CellButton({ cell, odd }: { cell: Cell; odd: boolean }) {
  const { memory: one } = cell;
  const chosen = cell.host === host.value?.host && one.memory_id === memory.value?.memory_id;
  const words = rate(one) ? `${signedBytes(rate(one))} a step` : VERDICT_WORDS[one.verdict];
  return (
    <button
      type="button"
      class="cell"
      data-verdict={one.verdict}
      aria-pressed={chosen}
      aria-label={`${cell.host}, ${cell.id}: ${words}${odd ? " odd one out" : ""}`}
      onClick={() => go({ session: session.value?.id ?? "", host: cell.host, memory: cell.id })}
    >
      <Mark shape={MARKS[one.verdict]} />
      {words}
      {odd && " "}
      {odd && <span class="odd">odd one out</span>}
    </button>
  );
}

function Progress({ done, all }: { done: number; all: number }) {
  if (done >= all) return null;
  return (
    <div class="bar overview-note">
      <progress value={done} max={all} aria-label="Hosts read" />
      <span class="label" role="status">
        {grouped(done)} of {grouped(all)} hosts read
      </span>
      {reading.value ? (
        <button type="button" class="small-button" onClick={stopReading}>
          Stop
        </button>
      ) : (
        <button type="button" class="small-button" onClick={() => void readAll()}>
          Read the others
        </button>
      )}
      {session.value && readingHost.value && (
        <Reading
          key={readingHost.value}
          session={session.value.id}
          host={readingHost.value}
          what=""
          inline
        />
      )}
    </div>
  );
}

export function Overview() {
  const hosts = session.value?.hosts ?? [];
  const answers = hostReports.value;
  const reports = hosts
    .map((one) => answers.get(one.host))
    .filter((one): one is HostReport => one !== undefined && !(one instanceof ApiError));
  const columns = columnsOf(reports);
  const odd = oddCells(columns);
  if (hosts.length <= 1 && columns.size <= 1) return null;
  const names = [...columns.keys()].sort();
  return (
    <section class="overview" aria-label="All hosts and memories">
      <div class="matrix-scroll" tabIndex={0} role="group" aria-label="Hosts by memories">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col" class="label">
                Host
              </th>
              {names.map((name) => (
                <th key={name} scope="col" class="label">
                  <Name text={name} most={32} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hosts.map(({ host: name }) => {
              const answer = answers.get(name);
              return (
                <tr key={name}>
                  <th scope="row">
                    <Name text={name} most={40} />
                  </th>
                  {names.map((id) => {
                    const cell = columns.get(id)?.find((one) => one.host === name);
                    return (
                      <td key={id}>
                        {cell && <CellButton cell={cell} odd={odd.has(cell.memory)} />}
                      </td>
                    );
                  })}
                  {!answer && <td class="label">not read yet</td>}
                  {answer instanceof ApiError && (
                    <td class="label" title={answer.hint}>
                      {answer.message}
                    </td>
                  )}
                  {answer &&
                    !(answer instanceof ApiError) &&
                    !answer.memories.some((one) => one.verdict !== "no_events") && (
                      <td class="label" title={answer.warnings[0]?.message ?? ""}>
                        {answer.memories.length > 0 ? "no memory events" : "could not be read"}
                      </td>
                    )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <Progress done={answers.size} all={hosts.length} />
    </section>
  );
}
