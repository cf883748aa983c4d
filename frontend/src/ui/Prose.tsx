/** A sentence from the server: its long words, which are names from the profile, are cut. */
import { cutMiddle, emphasised, upright } from "../lib/text.ts";

const LONGEST_WORD = 64;

export function Prose({ text: raw }: { text: string }) {
  const text = upright(raw);
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

/** Advice: the functions and calls that it names stand out. */
export function AdviceProse({ text }: { text: string }) {
  return (
    <>
      {emphasised(text).map((part, index) => {
        const prose = <Prose key={index} text={part.text} />;
        return part.strong ? <strong key={index}>{prose}</strong> : prose;
      })}
    </>
  );
}
