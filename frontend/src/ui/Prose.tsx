/** A sentence from the server: its long words, which are names from the profile, are cut. */
import { cutMiddle } from "../lib/text.ts";

const LONGEST_WORD = 64;

export function Prose({ text }: { text: string }) {
  if (!text.split(/\s/).some((word) => word.length > LONGEST_WORD)) return <>{text}</>;
  return (
    <>
      {text.split(/(\s+)/).map((word, index) =>
        word.length > LONGEST_WORD ? (
          <span key={index} title={word}>
            {cutMiddle(word, LONGEST_WORD)}
          </span>
        ) : (
          word
        ),
      )}
    </>
  );
}
