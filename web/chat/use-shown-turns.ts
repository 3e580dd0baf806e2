import { useEffect, useMemo, useState } from 'react';
import { useDrawQueue } from '../state/context.ts';
import { type Conversation, shownTurns } from '../state/conversation.ts';
import type { Turn } from '../state/turn.ts';

/** Turns that are drawn at once, and those that each further frame adds above them. */
const STEP = 4;

/** The newest turns at once, older ones above them frame by frame. */
export function useShownTurns(conversation: Conversation): { turns: readonly Turn[]; isWhole: boolean } {
  const queue = useDrawQueue();
  const turns = useMemo(() => shownTurns(conversation), [conversation]);
  const [first, setFirst] = useState('');
  const known = turns.findIndex((turn) => keyOf(turn) === first);
  const from = known < 0 ? Math.max(0, turns.length - STEP) : known;
  const next = turns[Math.max(0, from - STEP)];
  const nextKey = next ? keyOf(next) : '';
  useEffect(() => {
    if (nextKey !== first) return queue.add(() => setFirst(nextKey));
  }, [queue, nextKey, first]);
  return { turns: turns.slice(from), isWhole: from === 0 };
}

/** A turn keeps its place on screen when the server gives it its id. */
export function keyOf({ id, question }: Turn): string {
  return question?.id ?? id;
}
