/**
 * The window around us: TensorBoard's page when we are its tab, else our own.
 *
 * Every reach into `window.parent` is here. It throws when TensorBoard is embedded from another
 * origin; then our own window stands in, and all that is lost is links and TensorBoard's theme.
 */

function outer(): Window {
  try {
    void window.parent.document.body;
    return window.parent;
  } catch {
    return window;
  }
}

/** True inside TensorBoard, false when the page stands alone (report file, development). */
export function isEmbedded(): boolean {
  return outer() !== window;
}

/** The hash of the address the person sees, without the leading "#". */
export function readHash(): string {
  return outer().location.hash.replace(/^#/, "");
}

/**
 * Write the hash without loading anything: a new history entry, or the present one replaced.
 * TensorBoard's own deep-link library drops entries made while it starts, so the history is used.
 */
export function writeHash(hash: string, replace: boolean): void {
  const view = outer();
  const address = `${view.location.pathname}${view.location.search}#${hash}`;
  if (replace) view.history.replaceState(view.history.state, "", address);
  else view.history.pushState(view.history.state, "", address);
}

/** Call back when the person goes back, forward, or edits the address. Returns the undo. */
export function onHashChange(callback: () => void): () => void {
  const view = outer();
  view.addEventListener("hashchange", callback);
  view.addEventListener("popstate", callback);
  return () => {
    view.removeEventListener("hashchange", callback);
    view.removeEventListener("popstate", callback);
  };
}

/** The address of the page around us without query and hash. */
export function outerPath(): string {
  return outer().location.pathname;
}

/** TensorBoard marks its dark mode on its own body and tells frames nothing. */
export function isDark(): boolean {
  const view = outer();
  if (view === window) return window.matchMedia("(prefers-color-scheme: dark)").matches;
  return view.document.body.classList.contains("dark-mode");
}

/** Call back whenever the theme may have changed. */
export function onThemeChange(callback: () => void): void {
  const view = outer();
  new MutationObserver(callback).observe(view.document.body, { attributeFilter: ["class"] });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", callback);
}

/** TensorBoard hides a tab by giving its frame no height; `document.hidden` stays false. */
export function isHidden(): boolean {
  return window.innerHeight === 0;
}

/** The frame has neither language nor title of its own: screen readers need both. */
export function nameTheFrame(title: string): void {
  document.documentElement.lang = "en";
  document.title = title;
  try {
    window.frameElement?.setAttribute("title", title);
  } catch {
    // another origin owns the frame element: the document's own title has to do
  }
}
