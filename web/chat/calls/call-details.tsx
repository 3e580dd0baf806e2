import { Code } from '../../markdown/code.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { FoldedText } from '../../parts/folded-text.tsx';
import { readDataResult } from '../../state/data-result.ts';
import type { Call } from '../../state/turn.ts';
import { STRINGS } from '../../strings.ts';

/** Exact arguments and result of a call. */
export function CallDetails({ call }: { call: Call }) {
  const data = readDataResult(call.result);
  return (
    <>
      <h3>{STRINGS.call.arguments}</h3>
      <FoldedText text={indent(call.sent ?? call.arguments)} />
      {data && (
        <>
          <h3>{STRINGS.call.result}</h3>
          <DataTable data={data} label={STRINGS.row.table(call.name)} />
          {data.query && <Code text={data.query} language={STRINGS.call.query} />}
        </>
      )}
      {!data && (call.result !== undefined || call.error !== undefined) && (
        <>
          <h3>{STRINGS.call.result}</h3>
          <FoldedText text={call.error ?? resultText(call)} />
        </>
      )}
    </>
  );
}

function resultText({ result }: Call): string {
  return typeof result === 'string' ? result : JSON.stringify(result, null, 2);
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

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
