import type { Call, Turn } from '../../state/turn.ts';
import { STRINGS } from '../../strings.ts';
import { Card } from './card.tsx';

interface CallsProps {
  ids: readonly string[];
  calls: Turn['calls'];
}

/** Calls of one step, side by side. */
export function Calls({ ids, calls }: CallsProps) {
  const shown = ids.flatMap((id): Call[] => (calls[id] ? [calls[id]] : []));
  return (
    <ul className="calls" aria-label={STRINGS.call.label}>
      {shown.map((call) => (
        <Card key={call.id} call={call} />
      ))}
    </ul>
  );
}
