import { currentText, foldEvents } from '../../agent/turn-state.ts';
import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import type { User } from '../../schema/user.ts';
import type { DescribedTurn, Page, Store } from '../../store/store.ts';
import type { Turns } from '../live/turns.ts';
import { shownCall } from '../shown.ts';

/** A turn as lists show it. */
export interface ListedTurn extends DescribedTurn {
  /** The calls so far of a turn without a result. */
  calls?: readonly ToolCall[];
  /** The kept text of an interrupted turn. */
  partial?: string;
  /** Why the model failed, in the words of its provider; for developers only. */
  cause?: string;
}

/** Turns of a conversation, newest first. The journal is read only for turns without a result. */
export async function describeTurns(
  deps: { store: Store; turns: Turns },
  user: User,
  { conversationId, page }: { conversationId: string; page: Page },
): Promise<ListedTurn[]> {
  const turns = await deps.store.describeTurns(user, conversationId, page);
  return Promise.all(
    turns.map((turn) => (turn.result || turn.attempt === 0 ? splitCause(turn) : addProgress(deps, user, turn))),
  );
}

function splitCause({ result, ...turn }: DescribedTurn): ListedTurn {
  if (!result) return turn;
  const { cause, ...shown } = result;
  return { ...turn, result: shown, ...(cause !== undefined && { cause }) };
}

async function addProgress(
  { store, turns }: { store: Store; turns: Turns },
  user: User,
  turn: DescribedTurn,
): Promise<ListedTurn> {
  const live = turns.findByTurn(user, turn.id);
  const state = foldEvents(live ? live.events() : await store.readEvents(user, turn.id));
  const isInterrupted = turn.status === 'interrupted';
  return {
    ...turn,
    ...(live?.isPaused() && { status: 'waiting' as const }),
    calls: state.calls.map(shownCall),
    ...(isInterrupted && { partial: currentText(state) }),
  };
}
