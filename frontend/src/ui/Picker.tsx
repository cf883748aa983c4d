/** One choice of the top line: a native select, so that every key and screen reader works. */
import { cutMiddle, upright } from "../lib/text.ts";

export interface Option {
  value: string;
  text: string;
}

interface Props {
  label: string;
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
}

export function Picker({ label, value, options, onChange }: Props) {
  return (
    <label class="picker">
      <span class="label">{label}</span>
      <select
        value={value}
        title={options.find((option) => option.value === value)?.text ?? ""}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {cutMiddle(upright(option.text), 72)}
          </option>
        ))}
      </select>
    </label>
  );
}
