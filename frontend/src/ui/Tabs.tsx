/** Tabs by the book: one is in the tab order, arrows move, the panel is named by its tab. */
export interface Tab {
  key: string;
  title: string;
  count?: number | undefined;
}

interface Props {
  tabs: readonly Tab[];
  active: string;
  onPick: (key: string) => void;
}

export const tabId = (key: string) => `tab-${key}`;
export const PANEL = "view";

export function Tabs({ tabs, active, onPick }: Props) {
  const move = (event: KeyboardEvent) => {
    const index = tabs.findIndex((tab) => tab.key === active);
    const last = tabs.length - 1;
    const target = {
      ArrowLeft: index > 0 ? index - 1 : last,
      ArrowRight: index < last ? index + 1 : 0,
      Home: 0,
      End: last,
    }[event.key];
    const tab = target === undefined ? undefined : tabs[target];
    if (!tab) return;
    event.preventDefault();
    onPick(tab.key);
    document.getElementById(tabId(tab.key))?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Views" onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          key={tab.key}
          type="button"
          role="tab"
          id={tabId(tab.key)}
          aria-selected={tab.key === active}
          aria-controls={PANEL}
          tabIndex={tab.key === active ? 0 : -1}
          onClick={() => onPick(tab.key)}
        >
          {tab.title}
          {tab.count !== undefined && <span class="label">{tab.count}</span>}
        </button>
      ))}
    </div>
  );
}
