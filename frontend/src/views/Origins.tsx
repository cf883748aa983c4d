/** Which buffers of compiled programs the blocks of a site or finding are; ambiguity is shown. */
import { address, type Params } from "../api/client.ts";
import type { ProgramId } from "../api/programs.ts";
import type { Site } from "../api/wire.ts";
import { bytes, counted, grouped } from "../lib/numbers.ts";
import { siteName } from "../lib/text.ts";
import { go } from "../state/place.ts";
import { moduleKey } from "../state/program.ts";
import { useResource } from "../state/resource.ts";
import { Prose } from "../ui/Prose.tsx";
import { Loading } from "../ui/Trouble.tsx";

interface Candidate {
  module: string;
  program_id: ProgramId;
  kind: string;
  size_bytes: number;
  site: Site;
}

interface OriginsPayload {
  blocks: number;
  joined: number;
  left_out: number;
  origins: {
    module: string;
    basis: string;
    blocks: number;
    candidate_count: number;
    candidates: Candidate[];
  }[];
}

const MOST = 4;

export function Origins({ params }: { params: Params }) {
  const answer = useResource<OriginsPayload>(address("origins", params));
  const payload = answer.data.value;
  if (answer.error.value) return <p class="muted">{answer.error.value.message}</p>;
  if (!payload) return <Loading what="Matching blocks with buffers…" />;
  if (payload.joined === 0) {
    return <p class="muted">No buffer of a program that ran then has the size of these blocks.</p>;
  }
  return (
    <div>
      <p class="label">
        {grouped(payload.joined)} of {counted(payload.blocks, "block")} matched by size
      </p>
      <ul class="stack">
        {payload.origins.map((origin, index) => (
          <li key={index}>
            {counted(origin.blocks, "block")}:{" "}
            {origin.candidates.slice(0, MOST).map((one, n) => (
              <span key={n}>
                {n > 0 && " or "}
                <button
                  type="button"
                  class="link-button"
                  onClick={() =>
                    go({ module: moduleKey(one.program_id, one.module), view: "programs" })
                  }
                >
                  {one.module}
                </button>{" "}
                {one.kind} <Prose text={siteName(one.site)} /> ({bytes(one.size_bytes)})
              </span>
            ))}
            {origin.candidate_count > MOST && ` or ${origin.candidate_count - MOST} others`}
          </li>
        ))}
      </ul>
    </div>
  );
}
