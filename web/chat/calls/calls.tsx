import { memo, useId, useState } from 'react';
import { cleanName, formatDuration } from '../../parts/format.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { readDataResult } from '../../state/data-result.ts';
import type { Call, Turn } from '../../state/turn.ts';
import { STRINGS } from '../../strings.ts';
import { CallDetails } from './call-details.tsx';
import { MemberDetails, taskOf } from './member-details.tsx';

interface CallsProps {
  ids: readonly string[];
  turn: Turn;
}

/** Calls of one step, side by side. */
export function Calls({ ids, turn: { id: turnId, calls } }: CallsProps) {
  const shown = ids.flatMap((id): Call[] => (calls[id] ? [calls[id]] : []));
  return (
    <ul className="calls" aria-label={STRINGS.call.label}>
      {shown.map((call) => (
        <Card key={call.id} call={call} turnId={turnId} />
      ))}
    </ul>
  );
}

const ICONS: Record<Call['state'], IconName | undefined> = {
  pending: 'wait',
  running: undefined,
  waiting: 'wait',
  completed: 'check',
  failed: 'cross',
  timeout: 'cross',
  unknown: 'question',
};

/** A tool call: its state, the server's time for it, and on request its arguments and result. */
const Card = memo(({ call, turnId }: { call: Call; turnId: string }) => {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const icon = ICONS[call.state];
  const name = cleanName(call.member?.agent ?? call.name);
  return (
    <li className={`card ${call.state} ${isOpen ? 'open' : ''}`}>
      <button
        type="button"
        className="card-head"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="card-state">{icon ? <Icon name={icon} /> : <span className="spinner" />}</span>
        <span className="card-name">{name}</span>
        <span className="card-facts">{describe(call)}</span>
        <span className="visually-hidden">{STRINGS.call[call.state]}</span>
        <Icon name="chevron" />
      </button>
      <p className="card-line">{lineOf(call)}</p>
      {isOpen && (
        <div id={id} className="card-body">
          {call.member ? <MemberDetails call={call} turnId={turnId} /> : <CallDetails call={call} />}
        </div>
      )}
    </li>
  );
});

function describe({ state, durationMs, result }: Call): string {
  const rows = readDataResult(result)?.rowCount;
  const parts = [
    ...(state === 'completed' || state === 'running' ? [] : [STRINGS.call[state]]),
    ...(durationMs === undefined ? [] : [formatDuration(durationMs)]),
    ...(rows === undefined ? [] : [STRINGS.call.rows(rows)]),
  ];
  return parts.join(' · ');
}

/** Computed question of a data tool, progress while it runs, or the arguments in one line. */
function lineOf({ progress, error, result, repeats, arguments: sent, member }: Call): string {
  if (repeats) return STRINGS.call.repeated;
  if (member) return progress ?? error ?? taskOf(sent);
  return progress ?? error ?? readDataResult(result)?.question ?? shortArguments(sent);
}

function shortArguments(text: string): string {
  try {
    const values: unknown = JSON.parse(text);
    if (typeof values !== 'object' || values === null) return text;
    return Object.entries(values)
      .map(([name, value]) => `${name} ${typeof value === 'string' ? `“${value}”` : JSON.stringify(value)}`)
      .join(', ');
  } catch {
    return text;
  }
}
