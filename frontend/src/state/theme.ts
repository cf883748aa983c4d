/** Light or dark, as TensorBoard is; charts redraw when it changes. */
import { signal } from "@preact/signals";
import { isDark, onThemeChange } from "../host/parent.ts";

export const dark = signal(false);

function apply(): void {
  dark.value = isDark();
  document.documentElement.dataset.theme = dark.value ? "dark" : "light";
}

/** Take the theme now and follow it from now on. */
export function followTheme(): void {
  apply();
  onThemeChange(apply);
}
