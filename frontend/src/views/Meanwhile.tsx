/** The lanes of the stretch in sight, fetched for it, aligned with the timeline above. */
import { useSignal } from "@preact/signals";
import { address } from "../api/client.ts";
import type { LanesPayload } from "../api/frames.ts";
import { Lanes, laneText, ROW, spanText } from "../charts/Lanes.tsx";
import { counted, duration, grouped } from "../lib/numbers.ts";
import { cutMiddle } from "../lib/text.ts";
import { subject } from "../state/data.ts";
import { useResource } from "../state/resource.ts";
import { drawn, look, pixels, sight } from "../state/timeline.ts";
import { Figure } from "../ui/Figure.tsx";

/** What fits beside a lane. */
const LETTERS = 10;

export function Meanwhile() {
  const readout = useSignal("");
  const where = subject.value;
  const range = drawn.value;
  const answer = useResource<LanesPayload>(
    where && range
      ? address("lanes", {
          session: where.session,
          host: where.host,
          start_ns: range.start_ns,
          end_ns: range.end_ns,
          pixels: pixels.value,
        })
      : null,
    JSON.stringify(where),
  );
  const payload = answer.data.value;
  if (!payload && answer.pending.value)
    return (
      <p class="label below" role="status">
        Reading what ran meanwhile…
      </p>
    );
  if (!payload || payload.lanes.length === 0) return null;
  const { lanes } = payload;
  const left = payload.total - lanes.length;
  const merged = lanes.some((lane) => lane.merged) ? ", what lies under a pixel merged" : "";
  return (
    <div class="below">
      <Figure
        title="What ran meanwhile"
        note={`${counted(payload.total, "lane")}${left > 0 ? `, ${grouped(left)} not shown` : ""}${merged}`}
        readout={readout}
        header={["Lane", "Span", "Start"]}
        rows={() =>
          lanes.flatMap((lane) =>
            lane.columns.name.map((_, i) => [
              laneText(lane),
              spanText(lane, i),
              duration(lane.columns.start_ns[i]),
            ]),
          )
        }
      >
        <div class="lanes">
          <div class="lane-names" aria-hidden="true">
            {lanes.map((lane, row) => (
              <div key={row} style={{ height: `${ROW}px` }} title={laneText(lane)}>
                {lane.thread === lanes[row - 1]?.thread ? "" : cutMiddle(lane.thread, LETTERS)}
              </div>
            ))}
          </div>
          <Lanes
            lanes={lanes}
            view={sight.value}
            onRead={(text) => {
              readout.value = text;
            }}
            onPick={(span) => look(span, false)}
          />
        </div>
      </Figure>
    </div>
  );
}
