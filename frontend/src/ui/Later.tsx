/** A component whose code is fetched when it is first shown. */
import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { Loading } from "./Trouble.tsx";

/** `meanwhile` says what is waited for until the code has come. */
type Props<P> = P & { load: () => Promise<ComponentType<P>>; meanwhile?: string };

export function Later<P extends object>({
  load,
  meanwhile = "Opening the view…",
  ...rest
}: Props<P>) {
  const loaded = useSignal<{ view: ComponentType<P> } | null>(null);
  const failed = useSignal(false);
  useEffect(() => {
    load().then(
      (view) => {
        loaded.value = { view };
      },
      () => {
        failed.value = true;
      },
    );
  }, [load]);
  if (failed.value) {
    return (
      <p class="loading" role="alert">
        This view could not be loaded. TensorBoard may have been updated: load the page again.
      </p>
    );
  }
  if (!loaded.value) return <Loading what={meanwhile} />;
  const View = loaded.value.view;
  return <View {...(rest as unknown as P)} />;
}
