import { isDeepStrictEqual } from 'node:util';
import { foldEvents, type TurnState } from '../../agent/turn-state.ts';
import { AppError, invalidRequest, type Problem } from '../../errors.ts';
import { toContent } from '../../mcp/client/elicitation.ts';
import type { CallAnswer, CallWait, Event } from '../../schema/conversation/event.ts';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import { parsePosition } from '../../schema/position.ts';
import type { User } from '../../schema/user.ts';
import type { StoredTurn } from '../../store/store.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Validator } from '../../tools/validate.ts';
import { awaitElsewhere, isPausedAfter, requestElsewhere, viewElsewhere } from '../live/elsewhere.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import type { ContextEntry } from './caller-context.ts';
import { refuseTwins } from './check-answers.ts';
import { resumeTurn } from './resume-turn.ts';
import { type ChatDeps, type ChatTurn, replayEvents, viewTurn } from './turn.ts';
import { conversationNotFound, keyMismatch } from './turn-errors.ts';

export interface AnswerInput {
  conversationId: string;
  answers: CallAnswer[];
  clientTools?: readonly Tool[];
  /** Current context from the caller's page. */
  context?: readonly ContextEntry[];
  /** Answers sent again under the same key are taken once. */
  idempotencyKey?: string;
  /** Continues when the last viewer leaves; default: true. */
  keepsGoing?: boolean;
  /** The trace that the caller is in. */
  traceparent?: string;
  /** The events of the newest turn, if the caller has read them. */
  events?: readonly Event[];
}

/** Answers the waiting calls of a conversation's newest turn and continues it. */
export async function answerTurn(deps: ChatDeps, user: User, input: AnswerInput): Promise<ChatTurn> {
  const newest = await deps.store.readNewestTurn(user, input.conversationId);
  if (!newest) throw conversationNotFound();
  refuseTwins(input.answers);
  return takeAnswers(deps, user, newest, input).catch(async (error: unknown) => {
    // The same request may have been taken by another server at this moment.
    const { idempotencyKey: key, answers } = input;
    const turn = key && (await deps.store.readTurn(user, newest.id));
    const answered = turn && (await findAnswered(deps, user, turn, { key, answers }));
    if (answered) return answered;
    throw error;
  });
}

async function takeAnswers(deps: ChatDeps, user: User, newest: StoredTurn, input: AnswerInput): Promise<ChatTurn> {
  const { idempotencyKey: key, answers } = input;
  const answered =
    key && (await findAnswered(deps, user, newest, { key, answers, events: allOf(newest, input.events) }));
  if (answered) return answered;
  if (input.answers.length === 0) throw new AppError('invalid_request', { detail: 'The request contains no answer.' });
  const live = deps.turns.findByConversation(user, input.conversationId);
  const asked = live && (await answerQuestions(deps, live, input));
  if (asked) return asked;
  const askedElsewhere = !live && newest.status === 'running' && (await answerElsewhere(deps, user, newest, input));
  if (askedElsewhere) return askedElsewhere;
  // A call may wait while other calls of its reply still run; its answer is taken when they are done.
  await (live ? live.done.catch(() => {}) : awaitPause(deps, user, newest, input.answers));
  const turn = (await deps.store.readTurn(user, newest.id)) ?? newest;
  if (turn.status !== 'waiting') {
    throw new AppError('invalid_request', { detail: 'This conversation is not waiting for an answer.' });
  }
  const place = deps.turns.take(user);
  try {
    const { clientTools = [] } = input;
    return await resumeTurn(deps, user, { ...input, turn, clientTools, events: allOf(turn, input.events) });
  } finally {
    place.release();
  }
}

/** The events, if they are all that the turn has: nothing is added to a waiting turn before its next attempt. */
function allOf(turn: StoredTurn, events: readonly Event[] | undefined): readonly Event[] | undefined {
  const last = events?.at(-1);
  if (turn.status !== 'waiting' || last?.type !== 'turn-wait') return undefined;
  const at = parsePosition(last.id);
  return at.turn === turn.id && at.attempt === turn.attempt ? events : undefined;
}

interface FindAnswered {
  key: string;
  answers?: readonly CallAnswer[];
  /** All events of the turn, if they are known. */
  events?: readonly Event[] | undefined;
}

/** The attempt that an earlier request with this key has begun. */
export async function findAnswered(
  deps: ChatDeps,
  user: User,
  turn: StoredTurn,
  { key, answers = [], events: known }: FindAnswered,
): Promise<ChatTurn | undefined> {
  const live = deps.turns.findByTurn(user, turn.id);
  const events = live ? live.events() : (known ?? (await deps.store.readEvents(user, turn.id)));
  const index = events.findIndex((event) => event.type === 'turn-resume' && event.key === key);
  const resume = events[index];
  if (resume?.type !== 'turn-resume') return undefined;
  // A client that repeats a run may leave out the answers that were already taken.
  if (answers.length > 0 && !isDeepStrictEqual(resume.answers, answers)) throw keyMismatch();
  const before = events.slice(0, index);
  if (live) return viewTurn(live, before);
  // Its status is read after its events, and the events of its end after its status: a stream needs its end.
  const now = (await deps.store.readTurn(user, turn.id)) ?? turn;
  if (now.status === 'running') return viewElsewhere(deps, user, now, before);
  return replayEvents(now, (await deps.store.readEvents(user, turn.id)).slice(index), before);
}

/** Answers the questions of running calls; undefined if no answer is for a running call. */
async function answerQuestions(deps: ChatDeps, live: LiveTurn, input: AnswerInput): Promise<ChatTurn | undefined> {
  const { answers, idempotencyKey, keepsGoing } = input;
  const before = [...live.events()];
  const { waits, agent } = foldEvents(before);
  const isAsked = answers.some((given) => live.asks(given.call_id));
  if (!isAsked && !live.isAsking() && answers.every((given) => waits.has(given.call_id))) return undefined;
  const isOpen = (id: string) => live.asks(id);
  await checkReplies(deps, { agent, answers, waits, isOpen });
  if (keepsGoing) live.keepGoing();
  live.answer(answers, idempotencyKey);
  return viewTurn(live, before);
}

interface GivenReplies {
  agent: string;
  answers: readonly CallAnswer[];
  waits: TurnState['waits'];
  /** Whether a running call asks for an answer. */
  isOpen(callId: string): boolean;
}

/** Rejects answers that no running call asks for, and answers of another shape than asked. */
async function checkReplies(deps: ChatDeps, { agent, answers, waits, isOpen }: GivenReplies): Promise<void> {
  const validator = await deps.findAgent(agent).validator();
  const problems = answers.flatMap((given, index) => {
    if (!isOpen(given.call_id))
      return [{ path: `[${index}].call_id`, message: 'no running call asks for this answer' }];
    return checkReply(given, waits.get(given.call_id), validator).map(({ path, message }) => ({
      path: [`[${index}]`, path].filter(Boolean).join('.'),
      message,
    }));
  });
  if (problems.length > 0) throw invalidRequest(problems);
}

/** Waits until another process has finished the other calls of the reply whose calls these answers are for. */
async function awaitPause(deps: ChatDeps, user: User, turn: StoredTurn, answers: readonly CallAnswer[]): Promise<void> {
  if (turn.status !== 'running') return;
  const { waits } = foldEvents(await deps.store.readEvents(user, turn.id));
  if (answers.every(({ call_id }) => waits.has(call_id))) await awaitElsewhere(deps, user, { turn });
}

/** Passes answers to the process that runs the asking turn; undefined if the turn is not paused by a question. */
async function answerElsewhere(
  deps: ChatDeps,
  user: User,
  turn: StoredTurn,
  { answers, idempotencyKey: key }: AnswerInput,
): Promise<ChatTurn | undefined> {
  const before = await deps.store.readEvents(user, turn.id);
  if (!isPausedAfter(before)) return undefined;
  const { waits, agent, calls } = foldEvents(before);
  const isOpen = (id: string) => calls.some((call) => call.id === id && call.state === 'waiting') && waits.has(id);
  await checkReplies(deps, { agent, answers, waits, isOpen });
  const last = before.at(-1);
  const request = { kind: 'answer' as const, answers, ...(key !== undefined && { key }) };
  const isDone = async () => {
    const later = last ? await deps.store.readEventsAfter(user, parsePosition(last.id)) : [];
    return later.some(({ type }) => type === 'turn-resume');
  };
  const now = await requestElsewhere(deps, user, { turn, request, isDone });
  if (!now) throw new AppError('turn_interrupted', { detail: 'The server of this turn has ended. Continue the turn.' });
  return viewElsewhere(deps, user, now, before);
}

/** Finds faults in the answer to a running call's question. A refusal declines the question and is always valid. */
function checkReply(given: CallAnswer, wait: CallWait | undefined, validator: Validator): Problem[] {
  if ('approved' in given) {
    return given.approved ? [{ path: '', message: 'this call is waiting for "result"' }] : [];
  }
  if (wait?.kind !== 'input' || !wait.schema || given.result === null) return [];
  const content = toContent(given.result, wait.schema);
  if (!content) return [{ path: 'result', message: "must be an object that matches the question's schema" }];
  return validator
    .check(wait.schema, withDefaults(content, wait.schema))
    .map(({ path, message }) => ({ path: path ? `result.${path}` : 'result', message }));
}

/** Fills in the schema's defaults where the human left values out. */
function withDefaults(content: JsonObject, { properties }: JsonObject): JsonObject {
  const fields = Object.entries(isObject(properties) ? properties : {});
  const defaults = fields.flatMap(([name, field]): [string, Json][] =>
    isObject(field) && field.default !== undefined ? [[name, field.default]] : [],
  );
  return { ...Object.fromEntries(defaults), ...content };
}
