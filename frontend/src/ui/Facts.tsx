/** Terms and values in columns; a value that is cut is whole on hover. */
interface Props {
  facts: readonly (readonly [string, string])[];
}

export function Facts({ facts }: Props) {
  return (
    <dl class="facts">
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt class="label">{term}</dt>
          <dd class="cut" title={value}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
