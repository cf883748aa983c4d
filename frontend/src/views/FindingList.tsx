/** The findings, what to act on first standing first. Arrows move, the evidence follows. */
import type { Finding, StepsReport } from "../api/wire.ts";
import { findingFigure, findingLine, findingName, MARKS, toneOf } from "../lib/words.ts";
import { Mark } from "../ui/Mark.tsx";
import { Name } from "../ui/Name.tsx";

interface Props {
  findings: readonly Finding[];
  steps: StepsReport;
  chosen: string;
  onPick: (finding: Finding) => void;
}

const optionId = (finding: Finding) => `finding-${finding.id}`;

export function FindingList({ findings, steps, chosen, onPick }: Props) {
  const index = findings.findIndex((finding) => finding.id === chosen);
  const move = (event: KeyboardEvent) => {
    const target = {
      ArrowUp: index - 1,
      ArrowDown: index + 1,
      Home: 0,
      End: findings.length - 1,
    }[event.key];
    const finding = target === undefined ? undefined : findings[target];
    if (!finding) return;
    event.preventDefault();
    onPick(finding);
    document.getElementById(optionId(finding))?.scrollIntoView({ block: "nearest" });
  };
  const current = findings[index];
  return (
    <div
      class="findings"
      role="listbox"
      aria-label="Findings"
      tabIndex={0}
      onKeyDown={move}
      {...(current ? { "aria-activedescendant": optionId(current) } : {})}
    >
      {findings.map((finding) => {
        const figure = findingFigure(finding);
        return (
          <div
            key={finding.id}
            id={optionId(finding)}
            class="finding"
            role="option"
            aria-selected={finding.id === chosen}
            tabIndex={-1}
            onClick={() => onPick(finding)}
            onKeyDown={(event) => event.key === "Enter" && onPick(finding)}
          >
            <Mark shape={MARKS[toneOf(finding)]} />
            <Name text={findingName(finding)} most={80} />
            <span class="end">{figure.value}</span>
            <span class="label cut">{findingLine(finding, steps)}</span>
            <span class="label end">{figure.unit}</span>
          </div>
        );
      })}
    </div>
  );
}
