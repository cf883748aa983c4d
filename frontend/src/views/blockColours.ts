/** What the rectangles of the block map and the pieces of the address map are coloured by. */
import type { Shade } from "../charts/paint.ts";
import { lumpText } from "../lib/lump.ts";
import { counted, grouped } from "../lib/numbers.ts";
import { isLeak } from "../lib/shades.ts";
import { at } from "../state/place.ts";
import { chosenSites, nameOf, shades } from "../state/sites.ts";

export const COLOURINGS = {
  site: "site",
  region: "region",
  age: "age",
  step: "birth step",
  end: "fate",
} as const;
export type Colouring = keyof typeof COLOURINGS;

export function colouring(): Colouring {
  return (Object.keys(COLOURINGS) as Colouring[]).find((one) => one === at("color")) ?? "site";
}

/** The columns that say what a rectangle or a piece is. */
export interface Coloured {
  readonly site: readonly number[];
  /** Absent from older servers. */
  readonly region?: readonly (number | null)[];
  readonly born_step: readonly (number | null)[];
  readonly age_steps: readonly (number | null)[];
  readonly end: readonly (string | null)[];
  readonly count: readonly number[];
}

export const FATES: Readonly<Record<string, string>> = {
  survived: "still live",
  freed: "freed",
  lost: "free not seen",
  "pre-window": "from before",
};
const FATE_SHADES: Readonly<Record<string, Shade>> = {
  survived: 0,
  freed: undefined,
  lost: 1,
  "pre-window": 5,
};

const RAMP = ["ramp-0", "ramp-1", "ramp-2", "ramp-3", "ramp-4", "ramp-5", "ramp-6"] as const;

export interface Extent {
  readonly least: number;
  readonly most: number;
}

/** The least and the greatest of what is told; null where nothing is. */
export function extentOf(values: readonly (number | null)[]): Extent | null {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value === null) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return least <= most ? { least, most } : null;
}

/** The step of the ramp for a value: equal parts between the two ends. */
export function rampShade(value: number | null | undefined, extent: Extent | null): Shade {
  if (value === null || value === undefined || !extent) return undefined;
  const share = (value - extent.least) / Math.max(1, extent.most - extent.least);
  const place = Math.min(Math.max(Math.floor(share * RAMP.length), 0), RAMP.length - 1);
  return RAMP[place];
}

const valuesOf = (columns: Coloured, by: "age" | "step") =>
  by === "age" ? columns.age_steps : columns.born_step;

/** The shade of each rectangle. `whole` is all of the memory, so that zooming changes no colour. */
export function shadeOf(columns: Coloured, whole: Coloured): (i: number) => Shade {
  const by = colouring();
  if (by === "site") return (i) => shades.value.get(columns.site[i] ?? -1);
  if (by === "region") return (i) => columns.region?.[i] ?? undefined;
  if (by === "end") return (i) => FATE_SHADES[columns.end[i] ?? ""];
  const extent = extentOf(valuesOf(whole, by));
  const values = valuesOf(columns, by);
  return (i) => rampShade(values[i], extent);
}

/** What was freed is pale: survivors stand out. */
const FREED = 0.28;

/** How strongly each rectangle is filled: the chosen site, else survivors, leaks most of all. */
export function strengthOf({ end, site }: Coloured, freed = FREED): (i: number) => number {
  const chosen = chosenSites.value;
  return (i) => {
    const survived = end[i] === "survived";
    if (chosen.size > 0 && chosen.has(site[i] ?? -1)) return 0.95;
    if (chosen.size > 0) return survived ? freed + 0.06 : freed / 2;
    if (!survived) return freed;
    return isLeak(shades.value.get(site[i] ?? -1)) ? 0.8 : 0.6;
  };
}

/** Changes when colours or strengths do. */
export const lookKey = () => `${colouring()} ${shades.value.size} ${[...chosenSites.value]}`;

/** What a rectangle is: its site, or that several sites lie under one pixel. */
export function whatIs(columns: Coloured, i: number): string {
  return lumpText(columns.site[i] ?? -1, columns.count[i] ?? 1, columns.end[i] ?? null, nameOf);
}

/** When it was born; of several under a pixel, the oldest. */
export function bornText({ born_step, count }: Coloured, i: number): string {
  const born = born_step[i];
  if (typeof born !== "number") return "";
  return `${(count[i] ?? 1) > 1 ? "the oldest " : ""}born in step ${grouped(born)}`;
}

export interface LegendEntry {
  readonly shade: Shade;
  readonly text: string;
  /** The site that the entry stands for. */
  readonly site?: number;
  readonly leak?: boolean;
}

export interface Legend {
  readonly entries: readonly LegendEntry[];
  /** The two ends of the ramp. */
  readonly ramp?: { readonly shades: readonly Shade[]; readonly from: string; readonly to: string };
}

const MOST_SITES = 7;

function siteLegend({ site, end }: Coloured): Legend {
  const present = new Set(site);
  const all = [...shades.value].filter(([index]) => present.has(index));
  const named = all.slice(0, MOST_SITES).map(([index, shade]) => ({
    shade,
    site: index,
    text: nameOf(index),
    leak: isLeak(shade),
  }));
  const more = all.length - named.length;
  const rest = more > 0 ? [{ shade: undefined, text: `${counted(more, "other site")}` }] : [];
  const nobody = { early: false, several: false };
  for (const [i, one] of site.entries()) {
    if (one >= 0) continue;
    if (end[i] === "pre-window") nobody.early = true;
    else nobody.several = true;
  }
  const other = [
    ...(nobody.early ? [{ shade: undefined, text: "from before the window" }] : []),
    ...(nobody.several ? [{ shade: undefined, text: "several sites under a pixel" }] : []),
  ];
  return { entries: [...named, ...rest, ...other] };
}

/** What the colours mean, said beside the picture. */
export function legendOf(whole: Coloured, regions: readonly string[]): Legend {
  const by = colouring();
  if (by === "site") return siteLegend(whole);
  if (by === "region") {
    const untold = !whole.region || whole.region.some((one) => one === null);
    return {
      entries: [
        ...regions.map((text, shade) => ({ shade, text })),
        ...(untold ? [{ shade: undefined, text: "not told, or several under a pixel" }] : []),
      ],
    };
  }
  if (by === "end") {
    const present = new Set(whole.end);
    const fates = Object.entries(FATES).filter(([end]) => present.has(end));
    return { entries: fates.map(([end, text]) => ({ shade: FATE_SHADES[end], text })) };
  }
  const values = valuesOf(whole, by);
  const extent = extentOf(values);
  const untold = values.some((value) => value === null);
  const entries = untold ? [{ shade: undefined, text: "outside all steps" }] : [];
  if (!extent) return { entries };
  const from = by === "age" ? counted(extent.least, "step") : `step ${grouped(extent.least)}`;
  const to = by === "age" ? counted(extent.most, "step") : `step ${grouped(extent.most)}`;
  return { entries, ramp: { shades: RAMP, from, to } };
}
