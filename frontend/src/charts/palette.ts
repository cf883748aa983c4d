/** The chart colours of the present theme, read from the design tokens once a theme change. */
import { computed } from "@preact/signals";
import { dark } from "../state/theme.ts";

const TOKENS = [
  "ground",
  "text",
  "muted",
  "faint",
  "line",
  "accent",
  "alarm",
  "alarm-1",
  "alarm-2",
  "caution",
  "quiet",
  "heap",
  "heap-fill",
  "stack",
  "free",
  "free-alt",
  "fragmentation",
  "select",
  "focus",
  "ramp-0",
  "ramp-1",
  "ramp-2",
  "ramp-3",
  "ramp-4",
  "ramp-5",
  "ramp-6",
] as const;
export type Ink = (typeof TOKENS)[number];
export type Palette = Readonly<Record<Ink, string>> & { readonly series: readonly string[] };

const SERIES = 8;

export const palette = computed<Palette>(() => {
  void dark.value;
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const inks = Object.fromEntries(TOKENS.map((name) => [name, read(name)])) as Record<Ink, string>;
  return { ...inks, series: Array.from({ length: SERIES }, (_, n) => read(`series-${n}`)) };
});
