/** Findings about a program or about snapshots: what, why, what to do; each opens. */
import type { Finding } from "../api/wire.ts";
import { findingFigure, kindWords, MARKS, toneOf } from "../lib/words.ts";
import { Mark } from "../ui/Mark.tsx";
import { AdviceProse, Prose } from "../ui/Prose.tsx";

export function ProgramFindings({ findings }: { findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <ul class="opening" aria-label="Findings about this">
      {findings.map((finding, index) => {
        const figure = findingFigure(finding);
        return (
          <li key={finding.id || index}>
            <details open={index === 0}>
              <summary>
                <Mark shape={MARKS[toneOf(finding)]} />
                <span class="opening-title">
                  <Prose text={finding.title} />
                </span>
                <span class="label">{kindWords(finding.kind)}</span>
                <span class="opening-figure">
                  {figure.value} <span class="label">{figure.unit}</span>
                </span>
              </summary>
              <div class="opening-body">
                <p class="prose">
                  <Prose text={finding.detail} />
                </p>
                {finding.advice && (
                  <p class="prose">
                    <span class="label">What to do</span> <AdviceProse text={finding.advice} />
                  </p>
                )}
              </div>
            </details>
          </li>
        );
      })}
    </ul>
  );
}
