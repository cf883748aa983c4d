/** Sites by index, and the rank that gives each its colour everywhere. */
import { computed } from "@preact/signals";
import type { SitesPayload } from "../api/wire.ts";
import { chosenOf, rechosen } from "../lib/chosen.ts";
import { rowsOf } from "../lib/columns.ts";
import { type Shade, shadesOf } from "../lib/shades.ts";
import { siteName } from "../lib/text.ts";
import { sites } from "./data.ts";
import { at, go } from "./place.ts";

export type SiteRow = ReturnType<typeof rowsOf<SitesPayload["columns"]>>[number];

export const siteRows = computed<readonly SiteRow[]>(() =>
  sites.data.value ? rowsOf(sites.data.value.columns) : [],
);

const byIndex = computed(() => new Map(siteRows.value.map((row) => [row.index, row])));

export const shades = computed<ReadonlyMap<number, Shade>>(() => shadesOf(siteRows.value));

export function siteOf(index: number): SiteRow | undefined {
  return byIndex.value.get(index);
}

/** The name of a site by index; what is no site is what was there before the window. */
export function nameOf(index: number): string {
  const row = siteOf(index);
  return row ? siteName(row) : "from before the window";
}

const chosenList = computed(() => chosenOf(at("site"), at("finding"), siteRows.value));

/** The chosen sites, lit up in every view. */
export const chosenSites = computed<ReadonlySet<number>>(() => new Set(chosenList.value));

/** Of several chosen sites the last: views that show one show this one. */
export const chosenSite = computed<number | null>(() => chosenList.value.at(-1) ?? null);

/** Choose sites: these alone, or these turned over among those that were chosen before. */
export function chooseSites(picked: readonly number[], toggle: boolean): void {
  const chosen = rechosen(chosenList.peek(), picked, toggle);
  go({ site: chosen.join(","), finding: "" }, true);
}

/** Choose a site alone; one that is chosen is let go. What is no site cannot be chosen. */
export function chooseSite(index: number): void {
  if (index >= 0) chooseSites([index], chosenSites.peek().has(index));
}
