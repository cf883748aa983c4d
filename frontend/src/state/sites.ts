/** Sites by index, and the rank that gives each its colour everywhere. */
import { computed } from "@preact/signals";
import type { SitesPayload } from "../api/wire.ts";
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

/** The chosen site: named by the address, or that of the chosen finding. */
export const chosenSite = computed<number | null>(() => {
  if (/^\d+$/.test(at("site"))) return Number(at("site"));
  const finding = at("finding");
  return finding ? (siteRows.value.find((row) => row.finding === finding)?.index ?? null) : null;
});

/** Choose a site; choosing it again lets it go. What is no site cannot be chosen. */
export function chooseSite(index: number): void {
  if (index < 0) return;
  go({ site: chosenSite.peek() === index ? "" : String(index), finding: "" }, true);
}
