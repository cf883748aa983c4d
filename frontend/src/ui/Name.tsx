/** A name from the profile: text, cut in the middle, whole on hover and on copy. */
import { cutMiddle, upright } from "../lib/text.ts";

interface Props {
  text: string;
  most?: number;
  mono?: boolean;
}

/** Put the whole name on the clipboard when exactly a cut name is copied. */
function copyWhole(event: ClipboardEvent, text: string): void {
  event.clipboardData?.setData("text/plain", text);
  event.preventDefault();
}

export function Name({ text, most = 64, mono = false }: Props) {
  const short = cutMiddle(upright(text), most);
  const style = mono ? "cut mono" : "cut";
  if (short === text) return <span class={style}>{text}</span>;
  return (
    <span class={style} title={text} onCopy={(event) => copyWhole(event, text)}>
      {short}
    </span>
  );
}
