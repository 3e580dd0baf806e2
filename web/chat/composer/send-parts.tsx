import { useEffect, useState } from 'react';
import { Icon } from '../../parts/icon.tsx';
import { useActions, usePage } from '../../state/context.ts';
import { isUnnamed } from '../../state/page-state.ts';
import { STRINGS } from '../../strings.ts';

/** The longest message that the server takes unless its agent allows more. */
export const LONGEST = 10_000;
const COUNTED_FROM = 9_000;

export function Counts({ length, hasFiles }: { length: number; hasFiles: boolean }) {
  if (hasFiles && length === 0) return <p className="count">{STRINGS.files.needsMessage}</p>;
  if (length <= COUNTED_FROM) return null;
  return <p className={length > LONGEST ? 'count bad' : 'count'}>{STRINGS.composer.tooLong(length, LONGEST)}</p>;
}

export function StopButton() {
  const actions = useActions();
  return (
    <button type="button" className="send stop" onClick={() => void actions.attempt(actions.stop)}>
      <Icon name="stop" />
      <span>{STRINGS.composer.stop}</span>
    </button>
  );
}

export function SendButton({ canSend }: { canSend: boolean }) {
  return (
    <button type="submit" className="send primary" disabled={!canSend}>
      <Icon name="send" />
      <span>{STRINGS.composer.send}</span>
    </button>
  );
}

/**
 * Returns what Enter does. In a conversation that is still being read it sends the message as soon as its agent is known,
 * unless the text changes before.
 */
export function useEarlySend(text: string, submit: () => void): () => void {
  const isEarly = usePage(isUnnamed);
  const [wanted, setWanted] = useState<string>();
  useEffect(() => {
    if (wanted === undefined || isEarly) return;
    setWanted(undefined);
    if (wanted === text) submit();
  });
  return () => (isEarly ? setWanted(text) : submit());
}
