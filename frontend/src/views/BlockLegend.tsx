/** What the colours of the block map mean; an entry of a site lights it up everywhere. */
import type { Shade } from "../charts/paint.ts";
import { chooseSite, chosenSites } from "../state/sites.ts";
import { Name } from "../ui/Name.tsx";
import type { Legend, LegendEntry } from "./blockColours.ts";

/** The token of a shade, as a style. Kept in step with `shadeColour`. */
function tokenOf(shade: Shade): string {
  if (typeof shade === "string") return `var(--${shade})`;
  return `var(--series-${shade === undefined ? 7 : Math.min(shade, 7)})`;
}

function Swatch({ shade }: { shade: Shade }) {
  return <i class="swatch" data-flat style={{ "--fill": tokenOf(shade) }} />;
}

function Entry({ entry }: { entry: LegendEntry }) {
  const { shade, text, site, leak } = entry;
  const said = (
    <>
      <Swatch shade={shade} />
      <Name text={text} most={36} />
      {leak && <b>leaks</b>}
    </>
  );
  if (site === undefined) return <span>{said}</span>;
  return (
    <button
      type="button"
      class="legend-button"
      aria-pressed={chosenSites.value.has(site)}
      title={`${text}: light it up in every view`}
      onClick={() => chooseSite(site)}
    >
      {said}
    </button>
  );
}

export function BlockLegend({ legend }: { legend: Legend }) {
  const { entries, ramp } = legend;
  return (
    <div class="legend" role="group" aria-label="What the colours mean">
      {ramp && (
        <span>
          {ramp.from}
          <span class="ramp">
            {ramp.shades.map((shade) => (
              <Swatch key={shade} shade={shade} />
            ))}
          </span>
          {ramp.to}
        </span>
      )}
      {entries.map((entry) => (
        <Entry key={`${entry.site} ${entry.text}`} entry={entry} />
      ))}
      <span class="label">
        {chosenSites.value.size === 0
          ? "strong: still live · pale: freed"
          : "strong: what is chosen · pale: all others"}
      </span>
    </div>
  );
}
