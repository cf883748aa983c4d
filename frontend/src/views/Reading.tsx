/** Something is read: said at once, and after a moment with how far it is and a way to stop. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ApiError } from "../api/client.ts";
import { Later } from "../ui/Later.tsx";
import { Loading } from "../ui/Trouble.tsx";

export interface ReadingProps {
  session: string;
  host: string;
  /** What is said until the server tells how far it is. */
  what: string;
  /** One line between others, and nothing at all in the first moment. */
  inline?: boolean;
  /** Wait no longer, for this reason; without it there is no button. */
  onStop?: (why: ApiError) => void;
}

const PATIENCE_MS = 300;
const waiting = () => import("./later.ts").then((module) => module.Waiting);

export function Reading(props: ReadingProps) {
  const long = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      long.value = true;
    }, PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (long.value) return <Later {...props} load={waiting} meanwhile={props.what} />;
  return props.inline ? null : <Loading what={props.what} />;
}
