import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { CallAnswer, Event } from '../schema/event.ts';
import { newUlid } from '../schema/ids.ts';
import type { UserMessage } from '../schema/message.ts';
import { formatPosition } from '../schema/position.ts';
import { isTurnEnded } from '../schema/turn.ts';
import type { User } from '../schema/user.ts';
import { cleanUserText } from '../schema/user-text.ts';
import type { BeginTurn, Store, StoredTurn, TurnLease } from '../store/store.ts';
import type { Tool } from '../tools/tool.ts';
import { runAttempt } from './attempt.ts';
import type { LiveTurn } from './live-turn.ts';
import type { ReadyAgent } from './ready-agent.ts';
import type { Turns } from './turns.ts';

const TITLE_CHARS = 60;

export interface ChatInput {
  agent: string;
  message: string;
  /** Absent = a new conversation, unless `threadId` names one. */
  conversationId?: string;
  threadId?: string;
  idempotencyKey?: string;
  /** Goes on when the last viewer leaves; a key asks for that too. */
  keepsGoing?: boolean;
  /** Tools that the caller runs itself. */
  clientTools?: readonly Tool[];
}

/** A turn as a front sees it: its ids, and its events from the first (or wherever it joins) to the last. */
export interface ChatTurn {
  turnId: string;
  conversationId: string;
  events: AsyncIterable<Event>;
}

export interface ChatDeps {
  store: Store;
  turns: Turns;
  clock: Clock;
  findAgent(name: string): ReadyAgent;
}

/** Takes a message in: begins a turn, or joins, replays or continues the one that its key stands for. */
export async function chat(deps: ChatDeps, user: User, input: ChatInput): Promise<ChatTurn> {
  const ready = deps.findAgent(input.agent);
  const content = cleanUserText(input.message, ready.agent.limits.message_chars);
  const request = { ...input, message: content };
  const known = input.idempotencyKey && (await deps.store.readTurnByKey(user, input.agent, input.idempotencyKey));
  if (known) return joinKnown(deps, user, request, known);
  const place = deps.turns.admit();
  try {
    return await begin(deps, user, request);
  } finally {
    place.release();
  }
}

/** Answers the waiting calls of a conversation's newest turn and goes on with it. */
export async function answer(
  deps: ChatDeps,
  user: User,
  input: { conversationId: string; answers: CallAnswer[]; clientTools?: readonly Tool[] },
): Promise<ChatTurn> {
  const turn = await deps.store.readNewestTurn(user, input.conversationId);
  if (!turn) throw conversationNotFound();
  if (turn.status !== 'waiting') {
    throw new AppError('invalid_request', { detail: 'This conversation is not waiting for an answer.' });
  }
  const place = deps.turns.admit();
  try {
    return await continueTurn(deps, user, { turn, answers: input.answers, clientTools: input.clientTools ?? [] });
  } finally {
    place.release();
  }
}

async function begin(deps: ChatDeps, user: User, input: ChatInput): Promise<ChatTurn> {
  const target = await findTarget(deps, user, input);
  const { turnId, start, write } = firstWrite(deps, input, target);
  const hash = requestHash(input);
  const request: BeginTurn = {
    agent: input.agent,
    turnId,
    ...target,
    ...(input.idempotencyKey && { idempotencyKey: input.idempotencyKey, requestHash: hash }),
    write,
    now: start.at,
  };
  let begun = await deps.store.beginTurn(user, request);
  // The turn in the way may belong to a process that is gone.
  if (begun.outcome === 'busy' && begun.turn.status === 'running' && (await deps.store.recover()) > 0) {
    begun = await deps.store.beginTurn(user, request);
  }
  switch (begun.outcome) {
    case 'begun':
      return view(run(deps, user, { ...input, lease: begun.lease, events: [start] }));
    case 'known':
      return joinKnown(deps, user, input, begun.turn);
    case 'mismatch':
      throw keyMismatch();
    case 'missing':
      throw conversationNotFound();
    case 'busy':
      throw inTheWay(begun.turn);
  }
}

/** Which conversation the message goes to. An unknown id is an error later, never a silent new conversation. */
async function findTarget(
  deps: ChatDeps,
  user: User,
  input: ChatInput,
): Promise<Pick<BeginTurn, 'conversationId' | 'isNew' | 'threadId'>> {
  if (input.conversationId) return { conversationId: input.conversationId, isNew: false };
  if (!input.threadId) return { conversationId: newUlid(), isNew: true };
  const thread = await deps.store.readThread(user, input.agent, input.threadId);
  if (thread) return { conversationId: thread.id, isNew: false };
  return { conversationId: newUlid(), isNew: true, threadId: input.threadId };
}

function firstWrite(deps: ChatDeps, input: ChatInput, target: { conversationId: string; isNew: boolean }) {
  const turnId = newUlid();
  const at = deps.clock.date().toISOString();
  const message: UserMessage = { id: newUlid(), role: 'user', content: input.message, timestamp: at, metadata: {} };
  const start: Event = {
    type: 'turn-start',
    id: formatPosition({ turn: turnId, attempt: 1, seq: 1, offset: 0 }),
    at,
    turn_id: turnId,
    conversation_id: target.conversationId,
    agent: input.agent,
    message,
  };
  const title = input.message.split('\n', 1)[0]?.slice(0, TITLE_CHARS) ?? '';
  const metadata = target.isNew ? { metadata: { title } } : {};
  return { turnId, start, write: { events: [start], messages: [message], ...metadata } };
}

async function joinKnown(deps: ChatDeps, user: User, input: ChatInput, turn: StoredTurn): Promise<ChatTurn> {
  if (turn.request_hash !== requestHash(input)) throw keyMismatch();
  const live = deps.turns.findByTurn(user, turn.id);
  if (live) return view(live);
  if (turn.status === 'running') await deps.store.recover();
  const now = await deps.store.readTurn(user, turn.id);
  if (!now || now.status === 'running') throw inTheWay(turn);
  if (now.status !== 'interrupted') return replay(deps, user, now);
  const place = deps.turns.admit();
  try {
    return await continueTurn(deps, user, { turn: now, clientTools: input.clientTools ?? [] });
  } finally {
    place.release();
  }
}

/** A new attempt from the journal: after a crash, or with the answers that a waiting turn was given. */
async function continueTurn(
  deps: ChatDeps,
  user: User,
  input: { turn: StoredTurn; answers?: CallAnswer[]; clientTools: readonly Tool[] },
): Promise<ChatTurn> {
  const { turn, answers } = input;
  const events = await deps.store.readEvents(user, turn.id);
  const attempt = turn.attempt + 1;
  const resume: Event = {
    type: 'turn-resume',
    id: formatPosition({ turn: turn.id, attempt, seq: 1, offset: 0 }),
    at: deps.clock.date().toISOString(),
    reason: answers ? 'answer' : 'retry',
    ...(answers && { answers }),
  };
  const lease = await deps.store.continueTurn(user, { turnId: turn.id, attempt, write: { events: [resume] } });
  if (!lease) throw inTheWay({ ...turn, status: 'running' });
  const clientTools = input.clientTools;
  return view(
    run(deps, user, { agent: turn.agent, keepsGoing: true, clientTools, lease, events: [...events, resume] }),
  );
}

function run(
  deps: ChatDeps,
  user: User,
  input: Omit<ChatInput, 'message'> & { lease: TurnLease; events: readonly Event[] },
): LiveTurn {
  const { store, clock } = deps;
  const { lease, events } = input;
  const ready = deps.findAgent(input.agent);
  const attempt = { store, clock, user, ready, lease, events, clientTools: input.clientTools ?? [] };
  return deps.turns.start(user, {
    turnId: lease.turnId,
    conversationId: lease.conversationId,
    first: events,
    keepsGoing: input.keepsGoing ?? input.idempotencyKey !== undefined,
    run: (signal) => runAttempt(attempt, signal),
  });
}

function view(live: LiveTurn): ChatTurn {
  return { turnId: live.turnId, conversationId: live.conversationId, events: live.view() };
}

async function replay(deps: ChatDeps, user: User, turn: StoredTurn): Promise<ChatTurn> {
  const events = await deps.store.readEvents(user, turn.id);
  return { turnId: turn.id, conversationId: turn.conversation_id, events: streamOf(events) };
}

async function* streamOf(events: readonly Event[]): AsyncGenerator<Event, void> {
  yield* events;
}

function requestHash({ agent, message, conversationId, threadId }: ChatInput): string {
  const what = JSON.stringify([agent, message, conversationId ?? null, threadId ?? null]);
  return createHash('sha256').update(what).digest('hex');
}

function inTheWay(turn: StoredTurn): AppError {
  if (turn.status === 'waiting') {
    return new AppError('awaiting_input', {
      detail: 'The last turn waits for an answer. Answer it or cancel it first.',
    });
  }
  const detail = isTurnEnded(turn.status)
    ? 'The conversation was changed at the same moment. Try again.'
    : 'A turn is already running in this conversation. Wait for it, or cancel it.';
  return new AppError('turn_running', { detail, retryAfterSeconds: 1 });
}

function keyMismatch(): AppError {
  return new AppError('idempotency_mismatch', {
    detail: 'This Idempotency-Key was used for another request. Use a new key for a new message.',
  });
}

function conversationNotFound(): AppError {
  return new AppError('conversation_not_found', {
    detail: 'There is no such conversation. Leave session_id out to begin a new one.',
  });
}
