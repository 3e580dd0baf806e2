import { AppError, invalidRequest } from '../../errors.ts';
import type { CallAnswer, Event } from '../../schema/conversation/event.ts';
import { ConversationId } from '../../schema/ids.ts';
import type { User } from '../../schema/user.ts';
import type { StoredTurn } from '../../store/store.ts';
import { isPausedAfter } from '../live/elsewhere.ts';
import { shownEvent } from '../shown.ts';
import { answerTurn } from './answer-turn.ts';
import { type ChatInput, chat } from './chat.ts';
import type { ChatDeps, ChatTurn } from './turn.ts';

/** A run on a thread: it brings a user's message, answers for the turn that waits, or both. */
export interface ThreadRun
  extends Pick<
    ChatInput,
    'agent' | 'clientTools' | 'context' | 'keepsGoing' | 'traceparent' | 'responseFormat' | 'toolChoice'
  > {
  /** A conversation's own id, or the client's name for a thread of this user and agent, known or new. */
  threadId: string;
  /** The same run sent again is the same turn. */
  idempotencyKey: string;
  /** Absent when the run brings answers only. */
  message?: Pick<ChatInput, 'message' | 'files' | 'clientId'>;
  /** Earlier messages by the caller's account; read only when the thread is new. */
  history(): readonly unknown[];
  /** Reads the run's answers to the calls that wait in these events. Throws when it answers anything else. */
  answersTo(events: readonly Event[]): CallAnswer[];
}

/** Decides whether a run is a message or an answer, and begins or continues the turn. */
export async function runThread(deps: ChatDeps, user: User, run: ThreadRun): Promise<ChatTurn> {
  const { threadId: _, message, history, answersTo, ...shared } = run;
  const thread = await findThread(deps, user, run);
  const newest = thread.id === undefined ? undefined : await readNewestTurn(deps, user, thread.id);
  const isSameRun = newest?.idempotency_key === run.idempotencyKey;
  const isWaiting = newest?.status === 'waiting';
  const events = isWaiting && !isSameRun ? await deps.store.readEvents(user, newest.id) : undefined;
  const answers = events ? answersTo(events.map(shownEvent)) : [];
  const canAnswer = newest && !isSameRun && (answers.length > 0 || !isWaiting);
  if (canAnswer && !message)
    return answerOnly(deps, user, {
      ...shared,
      conversationId: newest.conversation_id,
      answers,
      ...(events && { events }),
    });
  if (!message) throw nothingNew();
  if (!isWaiting && !isSameRun) answersTo([]);
  const seed = thread.id === undefined ? { history: history() } : {};
  return chat(deps, user, { ...shared, ...message, ...thread.target, ...seed, results: answers });
}

/** Returns a conversation's newest turn. A running turn that asks a question reads `waiting`. */
export async function readNewestTurn(
  { store, turns }: Pick<ChatDeps, 'store' | 'turns'>,
  user: User,
  conversationId: string,
): Promise<StoredTurn | undefined> {
  const turn = await store.readNewestTurn(user, conversationId);
  const live = turn && turns.findByTurn(user, turn.id);
  const isElsewhere = turn?.status === 'running' && !live;
  const isPaused = isElsewhere ? isPausedAfter(await store.readEvents(user, turn.id)) : live?.isPaused();
  return turn && isPaused ? { ...turn, status: 'waiting' } : turn;
}

async function findThread({ store }: ChatDeps, user: User, { agent, threadId }: ThreadRun) {
  const parsed = threadId.length === 26 ? ConversationId.safeParse(threadId) : undefined;
  const own = parsed?.success ? await store.readConversation(user, parsed.data) : undefined;
  if (own?.agent === agent) return { id: own.id, target: { conversationId: own.id } };
  const known = await store.readThread(user, agent, threadId);
  return { id: known?.id, target: { threadId } };
}

/** Without answers this finds only a run that was taken before: its answers may be left out when it is sent again. */
async function answerOnly(deps: ChatDeps, user: User, input: Parameters<typeof answerTurn>[2]): Promise<ChatTurn> {
  return answerTurn(deps, user, input).catch((error: unknown) => {
    const isEmpty = input.answers.length === 0 && error instanceof AppError && error.code === 'invalid_request';
    throw isEmpty ? nothingNew() : error;
  });
}

function nothingNew(): AppError {
  const message = 'must end with a user message, or answer the calls that the thread waits for';
  return invalidRequest([{ path: 'messages', message }]);
}
