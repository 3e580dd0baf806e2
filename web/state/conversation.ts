import type { Turn } from './turn.ts';

/** `missing`: deleted, or never there; the server answers both alike. */
type ConversationState = 'new' | 'loading' | 'ready' | 'missing' | 'failed';

/** The conversation on screen. Turns that do not change keep their identity, so that they are not drawn again. */
export interface Conversation {
  /** Absent until the first message is accepted. */
  id?: string;
  agent: string;
  state: ConversationState;
  /** Turn ids, oldest first. */
  order: readonly string[];
  turns: Readonly<Record<string, Turn>>;
  /** Older turns are read from here on. */
  before?: string;
  problem?: string;
}

export function createConversation(agent: string, id?: string): Conversation {
  return { agent, state: id ? 'loading' : 'new', order: [], turns: {}, ...(id && { id }) };
}

/** Puts a turn in its place: a known one where it is, a new one at the end. */
export function putTurn(conversation: Conversation, turn: Turn): Conversation {
  const { order, turns } = conversation;
  return {
    ...conversation,
    order: turn.id in turns ? order : [...order, turn.id],
    turns: { ...turns, [turn.id]: turn },
  };
}

export function changeTurn(conversation: Conversation, id: string, change: (turn: Turn) => Turn): Conversation {
  const turn = conversation.turns[id];
  return turn ? putTurn(conversation, change(turn)) : conversation;
}

export function removeTurn(conversation: Conversation, id: string): Conversation {
  const { [id]: _removed, ...turns } = conversation.turns;
  return { ...conversation, turns, order: conversation.order.filter((other) => other !== id) };
}

/** Turns on the path that is shown and sent to the model. */
export function shownTurns({ order, turns }: Conversation): Turn[] {
  return order.flatMap((id) => (turns[id]?.isActive ? [turns[id]] : []));
}

export function newestTurn(conversation: Conversation): Turn | undefined {
  return shownTurns(conversation).at(-1);
}

/** A question that is answered again takes the place of its old answer and of all that followed. */
export function leavePath(conversation: Conversation, questionId: string, exceptTurn: string): Conversation {
  const { order, turns } = conversation;
  const start = order.findIndex(
    (id) => id !== exceptTurn && turns[id]?.isActive && turns[id].question?.id === questionId,
  );
  if (start < 0) return conversation;
  const left = order.slice(start).filter((id) => id !== exceptTurn);
  const changed = left.flatMap((id) => (turns[id] ? [[id, { ...turns[id], isActive: false }] as const] : []));
  return { ...conversation, turns: { ...turns, ...Object.fromEntries(changed) } };
}

/** A number that changes with every call that ends. */
export function countEndedCalls({ conversation }: { conversation: Conversation }): number {
  const calls = Object.values(conversation.turns).flatMap((turn) => Object.values(turn.calls));
  return calls.filter(({ state }) => state === 'completed' || state === 'failed').length;
}
