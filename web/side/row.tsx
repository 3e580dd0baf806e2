import { useMemo } from 'react';
import type { NumberCheck } from '../../src/schema/conversation/turn.ts';
import { Code } from '../markdown/code.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { cleanName, formatName, formatValue } from '../parts/format.ts';
import { usePage } from '../state/context.ts';
import type { Conversation } from '../state/conversation.ts';
import { readDataResult } from '../state/data-result.ts';
import { answerOf, type Call } from '../state/turn.ts';
import { STRINGS } from '../strings.ts';

/** The texts of the panel with the row of a figure. */
const ROW_STRINGS = {
  empty: 'Choose a figure of an answer to see its row.',
  from: (tool: string, row: number) => `${tool}, row ${row}`,
  column: 'Column',
  value: 'Stored value',
  query: 'Query',
  missing: 'This figure was not found in any result. It may be computed by the model, or wrong.',
  unfit: (reason: string) => `These words do not fit the result: ${reason}.`,
  gone: 'This figure is not in the conversation on screen.',
} as const;

/** The row, the column and the query behind one figure of an answer. */
export default function RowPanel({ at }: { at: string | undefined }) {
  const conversation = usePage((state) => state.conversation);
  const found = useMemo(() => findFigure(conversation, at), [conversation, at]);
  const data = useMemo(() => readDataResult(found?.call?.result), [found]);
  if (!at) return <p className="muted">{ROW_STRINGS.empty}</p>;
  if (!found) return <p className="muted">{ROW_STRINGS.gone}</p>;
  const { check, call } = found;
  const column = data?.columns.find(({ name }) => name === check.column);
  const marked = check.row !== undefined && check.column ? { row: check.row, column: check.column } : undefined;
  const stored = marked && data?.rows[marked.row]?.[marked.column];
  return (
    <div className="row-panel">
      <p className="big-figure">{check.text}</p>
      {!check.found && (
        <p className="problem mild">{check.reason ? ROW_STRINGS.unfit(check.reason) : ROW_STRINGS.missing}</p>
      )}
      {call && (
        <dl className="facts">
          <dt>{STRINGS.side.row}</dt>
          <dd>{ROW_STRINGS.from(cleanName(call.name), (check.row ?? 0) + 1)}</dd>
          {check.column && (
            <>
              <dt>{ROW_STRINGS.column}</dt>
              <dd>{formatName(check.column)}</dd>
            </>
          )}
          {stored !== undefined && (
            <>
              <dt>{ROW_STRINGS.value}</dt>
              <dd>
                <code>{String(stored)}</code>
                {column?.format && ` = ${formatValue(stored, column.format)}`}
              </dd>
            </>
          )}
          {data?.question && (
            <>
              <dt>{STRINGS.call.computed}</dt>
              <dd>{data.question}</dd>
            </>
          )}
        </dl>
      )}
      {call && data && <DataTable data={data} marked={marked} label={STRINGS.row.table(cleanName(call.name))} />}
      {data?.query && <Code text={data.query} language={ROW_STRINGS.query} />}
    </div>
  );
}

export interface FoundFigure {
  check: NumberCheck;
  call?: Call;
}

/** The figure at `<message>.<start>` of the conversation. */
function findFigure({ turns }: Conversation, at: string | undefined): FoundFigure | undefined {
  const cut = at?.lastIndexOf('.') ?? -1;
  if (!at || cut < 0) return undefined;
  const messageId = at.slice(0, cut);
  const start = Number(at.slice(cut + 1));
  const turn = Object.values(turns).find((one) => answerOf(one)?.id === messageId);
  const check = turn?.checks.find((one) => one.start === start);
  if (!turn || !check) return undefined;
  const call = check.call_id ? turn.calls[check.call_id] : undefined;
  return { check, ...(call && { call }) };
}
