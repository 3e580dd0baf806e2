import { isDeepStrictEqual } from 'node:util';
import { foldEvents } from '../agent/turn-state.ts';
import type { Clock } from '../clock.ts';
import { AppError, invalidRequest } from '../errors.ts';
import type { FileReader } from '../files/file-reader.ts';
import type { Log } from '../log.ts';
import type { CallAnswer, Event } from '../schema/event.ts';
import { formatPosition, parsePosition } from '../schema/position.ts';
import { isTurnEnded, type TurnStatus } from '../schema/turn.ts';
import type { User } from '../schema/user.ts';
import type { TextCheck } from '../schema/user-text.ts';
import type { Store, StoredTurn, TurnLease } from '../store/store.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Tool } from '../tools/tool.ts';
import type { Abandoned } from './abandoned.ts';
import { type AttachedFile, discardFiles } from './attached-file.ts';
import { runAttempt } from './attempt.ts';
import { auditOfAnswers } from './audit.ts';
import type { ContextEntry } from './caller-context.ts';
import { checkAnswers, keyMismatch, refuseTwins } from './check-answers.ts';
import { checkReply } from './check-reply.ts';
import { awaitedTools } from './client-tools.ts';
import type { LiveTurn } from './live-turn.ts';
import type { ReadyAgent } from './ready-agent.ts';
import type { Turns } from './turns.ts';
import type { EventStream } from './viewer.ts';
import { watchAttempt } from './watch-attempt.ts';

/** A turn as a front sees it: its ids, and its events from the first (or wherever it joins) to the last. */
export interface ChatTurn {
  turnId: string;
  conversationId: string;
  /** How far the turn was when it was opened. */
  status: TurnStatus;
  /** What came earlier in the turn and is not told again: the part before the answers that it now goes on with. */
  before: readonly Event[];
  /** `return` = the reader left; without other readers and without a key the turn is stopped. */
  events: EventStream;
  /** The live turn does nothing after this event until a running call's question is answered: readers may leave. */
  pausesAt?(event: Event): boolean;
}

export interface ChatDeps {
  store: Store;
  turns: Turns;
  abandoned: Abandoned;
  clock: Clock;
  findAgent(name: string): ReadyAgent;
  /** What reads attached files; loaded with the first one. */
  openReader(): Promise<FileReader>;
  telemetry?: Telemetry;
  /** Every user's text passes these too. */
  textChecks?: readonly TextCheck[];
  log?: Log;
}

export interface AnswerInput {
  conversationId: string;
  answers: CallAnswer[];
  clientTools?: readonly Tool[];
  /** What the caller's page shows now. */
  context?: readonly ContextEntry[];
  /** The same answers sent again under one key are taken once. */
  idempotencyKey?: string;
  /** Goes on when the last viewer leaves, unless told otherwise. */
  keepsGoing?: boolean;
  /** The trace that the caller is in. */
  traceparent?: string;
}

/** Goes on with a conversation's newest turn after the process that ran it has died. */
export async function continueInterrupted(deps: ChatDeps, user: User, conversationId: string): Promise<ChatTurn> {
  const turn = await deps.store.readNewestTurn(user, conversationId);
  if (!turn) throw conversationNotFound();
  if (turn.status !== 'interrupted') {
    throw new AppError('invalid_request', { detail: 'The last turn of this conversation was not interrupted.' });
  }
  const place = deps.turns.take(user);
  try {
    return await continueTurn(deps, user, { turn, clientTools: [] });
  } finally {
    place.release();
  }
}

/** Answers the waiting calls of a conversation's newest turn and goes on with it. */
export async function answer(deps: ChatDeps, user: User, input: AnswerInput): Promise<ChatTurn> {
  const newest = await deps.store.readNewestTurn(user, input.conversationId);
  if (!newest) throw conversationNotFound();
  refuseTwins(input.answers);
  const answered =
    input.idempotencyKey && (await findAnswered(deps, user, newest, input.idempotencyKey, input.answers));
  if (answered) return answered;
  if (input.answers.length === 0)
    throw new AppError('invalid_request', { detail: 'There is no answer in this request.' });
  const live = deps.turns.findByConversation(user, input.conversationId);
  const asked = live && (await answerQuestions(deps, live, input));
  if (asked) return asked;
  // A call may wait while others of its reply still run: its answer is taken when they are done.
  await live?.done.catch(() => {});
  const turn = (await deps.store.readTurn(user, newest.id)) ?? newest;
  if (turn.status !== 'waiting') {
    throw new AppError('invalid_request', { detail: 'This conversation is not waiting for an answer.' });
  }
  const place = deps.turns.take(user);
  try {
    return await continueTurn(deps, user, { ...input, turn, clientTools: input.clientTools ?? [] });
  } finally {
    place.release();
  }
}

/** The attempt that a request of this key has already begun. */
export async function findAnswered(
  deps: ChatDeps,
  user: User,
  turn: StoredTurn,
  key: string,
  answers: readonly CallAnswer[] = [],
): Promise<ChatTurn | undefined> {
  const live = deps.turns.findByTurn(user, turn.id);
  const events = live ? live.told() : await deps.store.readEvents(user, turn.id);
  const index = events.findIndex((event) => event.type === 'turn-resume' && event.key === key);
  const resume = events[index];
  if (resume?.type !== 'turn-resume') return undefined;
  // A client that sends a run again may leave out the answers that were taken.
  if (answers.length > 0 && !isDeepStrictEqual(resume.answers, answers)) throw keyMismatch();
  const before = events.slice(0, index);
  if (live) return view(live, before);
  return { ...(await replay(deps, user, turn)), before, events: streamOf(events.slice(index)) };
}

/** Answers the questions of running calls; undefined when none of the answers is for one. */
async function answerQuestions(deps: ChatDeps, live: LiveTurn, input: AnswerInput): Promise<ChatTurn | undefined> {
  const { answers, idempotencyKey, keepsGoing } = input;
  const before = [...live.told()];
  const { waits, agent } = foldEvents(before);
  const isAsked = answers.some((given) => live.asks(given.call_id));
  if (!isAsked && !live.isAsking() && answers.every((given) => waits.has(given.call_id))) return undefined;
  const validator = await deps.findAgent(agent).validator();
  const problems = answers.flatMap((given, index) => {
    if (!live.asks(given.call_id))
      return [{ path: `[${index}].call_id`, message: 'no running call asks for this answer' }];
    return checkReply(given, waits.get(given.call_id), validator).map(({ path, message }) => ({
      path: [`[${index}]`, path].filter(Boolean).join('.'),
      message,
    }));
  });
  if (problems.length > 0) throw invalidRequest(problems);
  if (keepsGoing) live.keepGoing();
  live.answer(answers, idempotencyKey);
  return view(live, before);
}

interface ContinueInput {
  turn: StoredTurn;
  clientTools: readonly Tool[];
  files?: readonly AttachedFile[];
  /** Ends the turn once its calls have an outcome. */
  endsAfterCalls?: boolean;
}

/** A new attempt from the journal: after a crash, or with the answers that a waiting turn was given. */
export async function continueTurn(
  deps: ChatDeps,
  user: User,
  input: Partial<AnswerInput> & ContinueInput,
): Promise<ChatTurn> {
  const { turn, answers, idempotencyKey, keepsGoing = true, files = [], context = [] } = input;
  const events = await deps.store.readEvents(user, turn.id);
  const state = foldEvents(events);
  checkAnswers(state, answers ?? []);
  const attempt = turn.attempt + 1;
  const resume: Event = {
    type: 'turn-resume',
    id: formatPosition({ turn: turn.id, attempt, seq: 1, offset: 0 }),
    at: deps.clock.date().toISOString(),
    reason: answers ? 'answer' : 'retry',
    ...(answers && { answers }),
    ...(idempotencyKey && { key: idempotencyKey }),
  };
  const audit = auditOfAnswers(answers ?? [], state, user, resume.at);
  const lease = await deps.store.continueTurn(user, { turnId: turn.id, attempt, write: { events: [resume], audit } });
  if (!lease) throw inTheWay({ ...turn, status: 'running' });
  const clientTools = [...input.clientTools, ...awaitedTools(state)];
  const told = [...events, resume];
  const live = run(deps, user, {
    agent: turn.agent,
    keepsGoing,
    clientTools,
    files,
    context,
    lease,
    events: told,
    ...(input.traceparent && { traceparent: input.traceparent }),
    ...(input.endsAfterCalls && { endsAfterCalls: true }),
  });
  return view(live, answers ? events : []);
}

export interface RunInput {
  agent: string;
  lease: TurnLease;
  events: readonly Event[];
  idempotencyKey?: string;
  keepsGoing?: boolean;
  clientTools?: readonly Tool[];
  files?: readonly AttachedFile[];
  context?: readonly ContextEntry[];
  /** Notices of this attempt for the user alone. */
  notices?: readonly string[];
  endsAfterCalls?: boolean;
  traceparent?: string;
}

/** Puts a turn whose lease we hold on the hub. */
export function run(deps: ChatDeps, user: User, input: RunInput): LiveTurn {
  const { store, clock, openReader } = deps;
  const { lease, events, files = [], context = [], notices = [] } = input;
  const ready = deps.findAgent(input.agent);
  const clientTools = input.clientTools ?? [];
  const attempt = {
    store,
    clock,
    openReader,
    user,
    ready,
    lease,
    events,
    clientTools,
    files,
    context,
    notices,
    ...(input.endsAfterCalls && { endsAfterCalls: true }),
    ...(deps.log && { log: deps.log }),
  };
  const watch = watchAttempt(deps, { ready, lease, traceparent: input.traceparent });
  const live = deps.turns.start(user, {
    turnId: lease.turnId,
    conversationId: lease.conversationId,
    first: events,
    keepsGoing: input.keepsGoing ?? input.idempotencyKey !== undefined,
    run: (signal, questions) => runAttempt({ ...attempt, traceparent: watch?.traceparent }, signal, questions),
    watch: watch?.take,
  });
  live.done
    .catch((error: unknown) => {
      deps.log?.('the journal of a turn failed', { turn: lease.turnId, error });
      deps.abandoned.add(user, lease);
    })
    .then(() => discardFiles(files));
  return live;
}

/** A live turn from its first event on, or after those that are not told again. */
export function view(live: LiveTurn, before: readonly Event[] = []): ChatTurn {
  const last = before.at(-1);
  const events = live.view(last && parsePosition(last.id));
  const { turnId, conversationId, isPausedAt: pausesAt } = live;
  const status = live.isPaused() ? 'waiting' : 'running';
  return { turnId, conversationId, status, before, events, pausesAt };
}

/** A turn that has ended or waits, from the store. */
export async function replay(deps: ChatDeps, user: User, turn: StoredTurn): Promise<ChatTurn> {
  const events = await deps.store.readEvents(user, turn.id);
  const { id: turnId, conversation_id: conversationId, status } = turn;
  return { turnId, conversationId, status, before: [], events: streamOf(events) };
}

async function* streamOf(events: readonly Event[]): AsyncGenerator<Event, undefined> {
  yield* events;
}

/** Why a conversation takes no new turn now. */
export function inTheWay(turn: StoredTurn): AppError {
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

export function conversationNotFound(): AppError {
  return new AppError('conversation_not_found', {
    detail: 'There is no such conversation. Leave session_id out to begin a new one.',
  });
}
