import { STRINGS } from '../../strings.ts';

/** Arguments of a call, one per line, each with its whole value. */
export function Arguments({ value }: { value: unknown }) {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (entries.length === 0) return <p className="muted">{STRINGS.approval.noArguments}</p>;
  return (
    <dl className="arguments">
      {entries.map(([name, entry]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof entry === 'string' ? entry : JSON.stringify(entry, null, 2)}</dd>
        </div>
      ))}
    </dl>
  );
}
