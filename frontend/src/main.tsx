/** Puts the page into the frame and ties it to the window around it. */
import { render as mount } from "preact";
import { nameTheFrame } from "./host/parent.ts";
import { onDataReloaded } from "./host/reload.ts";
import { followAddress } from "./state/place.ts";
import { refreshAll } from "./state/resource.ts";
import { followTheme } from "./state/theme.ts";
import styles from "./styles/index.css";
import { App } from "./views/App.tsx";

export function render(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets = [sheet];
  nameTheFrame("Leak Finder");
  followTheme();
  followAddress();
  onDataReloaded(refreshAll);
  mount(<App />, document.body);
}
