/** What a comparison found, in the words of the terminal. */
import type { ComparePayload } from "../api/wire.ts";

export const OUTCOMES: Record<ComparePayload["outcome"], string> = {
  fixed: "The leak is gone",
  slower: "It leaks more slowly",
  same: "It leaks as before",
  faster: "It leaks faster",
  new_leak: "A leak has come in",
  no_leak: "Nothing leaks, before or after",
  unclear: "It cannot be told",
};
