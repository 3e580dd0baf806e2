import type { StoredTurn, TurnPage } from '../api/shapes.ts';
import type { Conversation } from './conversation.ts';
import { fromStored } from './stored-turn.ts';
import { isRunning, type Turn } from './turn.ts';

/** Puts stored turns (newest first) in front of the ones that the stream has brought. */
export function mergeTurns(conversation: Conversation, { turns, next_before: before }: TurnPage): Conversation {
  const { before: _before, ...rest } = conversation;
  const stored = turns.toReversed();
  const known = stored.map((turn) => mergeTurn(conversation.turns[turn.id], turn));
  const ids = new Set(known.map((turn) => turn.id));
  return {
    ...rest,
    state: 'ready',
    order: placeOthers([...ids], conversation.order),
    turns: { ...conversation.turns, ...Object.fromEntries(known.map((turn) => [turn.id, turn])) },
    ...(before && { before }),
  };
}

/** Turns that the store does not have, such as an unsent message, stay in front of the turn that follows them. */
function placeOthers(stored: readonly string[], shown: readonly string[]): string[] {
  const order = [...stored];
  for (const [index, id] of [...shown.entries()].toReversed()) {
    if (order.includes(id)) continue;
    const next = shown[index + 1];
    order.splice(next === undefined ? order.length : order.indexOf(next), 0, id);
  }
  return order;
}

/** The stream is ahead of the store while a turn runs; afterwards the store knows more: times, domains, feedback. */
function mergeTurn(streamed: Turn | undefined, stored: StoredTurn): Turn {
  const kept = fromStored(stored);
  if (!streamed?.place) return kept;
  const question = kept.question ?? streamed.question;
  const isOpen = isRunning(streamed) || streamed.status === 'waiting' || !stored.result;
  const facts = {
    isActive: kept.isActive,
    ...(question && { question }),
    ...(kept.startedAt && { startedAt: kept.startedAt }),
    ...(kept.replaces && { replaces: kept.replaces }),
    ...(kept.feedback && { feedback: kept.feedback }),
    ...(kept.failure && { failure: kept.failure }),
  };
  if (isOpen) return { ...streamed, ...facts };
  const calls = Object.fromEntries(
    Object.entries(streamed.calls).map(([id, call]) => [id, { ...call, ...kept.calls[id] }]),
  );
  const endedAt = kept.endedAt ?? streamed.endedAt;
  return { ...streamed, ...facts, calls, facts: { ...streamed.facts, ...kept.facts }, ...(endedAt && { endedAt }) };
}
