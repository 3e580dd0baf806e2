import { useState } from 'react';
import { cleanName } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { useActions } from '../../state/context.ts';
import type { Call, Turn } from '../../state/turn.ts';
import { STRINGS } from '../../strings.ts';

/** After a crash: the part that was kept, the calls that ran, and the way on. Nothing runs again by itself. */
export default function Interrupted({ turn, canContinue }: { turn: Turn; canContinue: boolean }) {
  const actions = useActions();
  const [isBusy, setBusy] = useState(false);
  const kept = turn.parts.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 0), 0);
  const ran = namesOf(turn, (call) => call.state === 'completed' || call.state === 'failed');
  const unknown = namesOf(turn, (call) => call.state === 'unknown');
  const proceed = () => {
    setBusy(true);
    void actions.attempt(actions.continueTurn).finally(() => setBusy(false));
  };
  return (
    <section className="problem" aria-label={STRINGS.turn.interrupted}>
      <Icon name="alert" />
      <div className="grow">
        <strong>{STRINGS.turn.interrupted}</strong>
        <ul className="plain-list">
          <li>{STRINGS.turn.kept(kept)}</li>
          {ran && <li>{STRINGS.turn.ran(ran)}</li>}
          {unknown && <li>{STRINGS.turn.unknown(unknown)}</li>}
          <li>{STRINGS.turn.notAgain}</li>
        </ul>
      </div>
      {canContinue && (
        <button type="button" className="primary" disabled={isBusy} onClick={proceed}>
          {STRINGS.turn.continue}
        </button>
      )}
    </section>
  );
}

function namesOf(turn: Turn, isMeant: (call: Call) => boolean): string {
  return Object.values(turn.calls)
    .filter(isMeant)
    .map((call) => cleanName(call.name))
    .join(', ');
}
