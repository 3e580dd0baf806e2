import { createHash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { ToolChoice } from '../../models/model.ts';
import type { OwnMetadata } from '../../schema/conversation/conversation.ts';
import type { CallAnswer } from '../../schema/conversation/event.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { User } from '../../schema/user.ts';
import { cleanUserText, type TextCheck } from '../../schema/user-text.ts';
import type { BeginTurn, StoredTurn } from '../../store/store.ts';
import type { Tool } from '../../tools/tool.ts';
import { checkFormat } from '../check-format.ts';
import { type AttachedFile, cleanFiles, digestFiles, discardFiles } from '../files/attached-file.ts';
import { userLimits } from '../live/admission.ts';
import { viewElsewhere } from '../live/elsewhere.ts';
import { requestFacts } from '../live/take-over.ts';
import type { ContextEntry } from './caller-context.ts';
import { takeHistory, toSeed } from './caller-history.ts';
import { closeWaiting } from './close-waiting.ts';
import { firstWrite } from './first-write.ts';
import { isGone } from './is-gone.ts';
import { takeKnownMessage } from './known-message.ts';
import { resumeTurn } from './resume-turn.ts';
import { type ChatDeps, type ChatTurn, ofBegin, replayTurn, startTurn, viewTurn } from './turn.ts';
import { conversationNotFound, keyMismatch, overLimit, turnBusyError } from './turn-errors.ts';

export interface ChatInput {
  agent: string;
  message: string;
  /**
   * The caller's id for the message. An id that the conversation already has means: answer that message again, or edit
   * it.
   */
  clientId?: string;
  /** Absent = a new conversation, unless `threadId` names an existing one. */
  conversationId?: string;
  threadId?: string;
  idempotencyKey?: string;
  /** Continues when the last viewer leaves; an idempotency key implies that. */
  keepsGoing?: boolean;
  /** Tools that the caller runs itself. */
  clientTools?: readonly Tool[];
  /** Earlier messages as the caller reports them. They start a new conversation and are otherwise ignored. */
  history?: readonly unknown[];
  /** Context from the caller's page: read by the model in this turn, never stored. */
  context?: readonly ContextEntry[];
  /**
   * Results of front-end calls that the newest turn waits for. If given, even empty, the message ends that wait: a call
   * without a result gets a synthetic one.
   */
  results?: readonly CallAnswer[];
  /** The caller's trace context. */
  traceparent?: string;
  /** Stored with the message. */
  metadata?: JsonObject;
  /** The user's own values for a new conversation. */
  ownMetadata?: OwnMetadata;
  /** The tool that the first reply must call. It is not stored: a continued turn decides by itself. */
  toolChoice?: ToolChoice;
  /** The JSON Schema of the answer, in place of the agent's own `response_format`. */
  responseFormat?: JsonObject;
  /** Files of the message. They are discarded once read, or if no turn starts. */
  files?: readonly AttachedFile[];
}

/** A request with checked text and files; `digests` distinguish requests that differ only in a file. */
interface CheckedInput extends ChatInput {
  digests: readonly string[];
}

/** Accepts a message: begins a turn, or joins, replays or continues the turn that its idempotency key names. */
export async function chat(deps: ChatDeps, user: User, input: ChatInput): Promise<ChatTurn> {
  if (!user?.id) throw new AppError('config_invalid', { detail: 'user: pass what userFromId returns.' });
  try {
    const { agent } = deps.findAgent(input.agent);
    const checked = checkInput(input, agent.limits.message_chars, deps.textChecks);
    if (input.responseFormat) await checkFormat(input.responseFormat, 'response_format');
    const request = input.files && input.idempotencyKey ? await withDigests(checked) : checked;
    const known = input.idempotencyKey && (await deps.store.readTurnByKey(user, input.agent, input.idempotencyKey));
    return known ? await joinKnown(deps, user, request, known) : await beginAdmitted(deps, user, request);
  } catch (error) {
    await discardFiles(input.files);
    throw error;
  }
}

function checkInput(input: ChatInput, maxChars: number, checks?: readonly TextCheck[]): CheckedInput {
  const message = cleanUserText(input.message, maxChars, checks);
  const files = cleanFiles(input.files ?? []);
  return { ...input, message, files, digests: [] };
}

async function withDigests(input: CheckedInput): Promise<CheckedInput> {
  return { ...input, digests: await digestFiles(input.files ?? []) };
}

async function beginAdmitted(deps: ChatDeps, user: User, input: CheckedInput): Promise<ChatTurn> {
  const place = deps.turns.take(user);
  try {
    return await begin(deps, user, input);
  } finally {
    place.release();
  }
}

async function begin(deps: ChatDeps, user: User, input: CheckedInput): Promise<ChatTurn> {
  const target = await findTarget(deps, user, input);
  const again = await findAgain(deps, user, input, target);
  if (again && 'turnId' in again) return again;
  const { turnId, write } = firstWrite({ deps, input, target, sibling: again });
  const at = write.events[0]?.at ?? deps.clock.date().toISOString();
  const { limits } = deps.findAgent(input.agent).agent;
  const given = target.isNew
    ? takeHistory(input.history ?? [], { limits, at, ids: deps.ids })
    : { messages: [], notices: [] };
  const request: BeginTurn = {
    agent: input.agent,
    turnId,
    ...target,
    ...(again && { replaces: again.replaces }),
    ...(input.idempotencyKey && { idempotencyKey: input.idempotencyKey, requestHash: requestHash(input) }),
    ...(goesOn(deps, input) && { continues: requestFacts(input, user) }),
    ...(deps.store.isShared && { limits: userLimits(deps.findAgent(input.agent).agent.server) }),
    ...(given.messages.length > 0 && { seed: toSeed(given.messages, deps.ids) }),
    write,
    now: at,
  };
  return deps.turns.starting(turnId, () => take(deps, user, { input, request, notices: given.notices }));
}

interface Taking {
  input: CheckedInput;
  request: BeginTurn;
  notices: readonly string[];
}

/** Takes the turn in the store and starts it, unless its key or its conversation has another one. */
async function take(deps: ChatDeps, user: User, { input, request, notices }: Taking): Promise<ChatTurn> {
  let begun = await deps.store.beginTurn(user, request);
  if (begun.outcome === 'busy' && begun.turn.status === 'running' && (await isGone(deps, user, begun.turn))) {
    begun = await deps.store.beginTurn(user, request);
  }
  if (begun.outcome === 'busy' && begun.turn.status === 'waiting' && input.results) {
    await closeWaiting(deps, user, { turn: begun.turn, results: input.results });
    begun = await deps.store.beginTurn(user, request);
  }
  switch (begun.outcome) {
    case 'begun':
      return viewTurn(startTurn(deps, user, { ...input, notices, lease: begun.lease, ...ofBegin(request) }));
    case 'known':
      return joinKnown(deps, user, input, begun.turn);
    case 'mismatch':
      throw keyMismatch();
    case 'missing':
      throw conversationNotFound();
    case 'limited':
      throw overLimit(begun.limit);
    case 'busy': {
      const isAsking = deps.turns.findByTurn(user, begun.turn.id)?.isAsking() ?? false;
      throw turnBusyError(isAsking ? { ...begun.turn, status: 'waiting' } : begun.turn);
    }
  }
}

/** Whether another server continues the turn if this one dies. */
function goesOn({ store }: ChatDeps, { keepsGoing, idempotencyKey }: CheckedInput): boolean {
  return store.isShared && (keepsGoing ?? idempotencyKey !== undefined);
}

type Target = Pick<BeginTurn, 'conversationId' | 'isNew' | 'threadId'>;

/** Selects the conversation of the message. An unknown id fails later; it never creates a conversation silently. */
async function findTarget(deps: ChatDeps, user: User, input: ChatInput): Promise<Target> {
  if (input.conversationId) return { conversationId: input.conversationId, isNew: false };
  if (!input.threadId) return { conversationId: deps.ids.ulid(), isNew: true };
  const thread = await deps.store.readThread(user, input.agent, input.threadId);
  if (thread) return { conversationId: thread.id, isNew: false };
  return { conversationId: deps.ids.ulid(), isNew: true, threadId: input.threadId };
}

/** Handles a message id that the conversation already has; undefined = the message is new. */
async function findAgain(deps: ChatDeps, user: User, input: CheckedInput, target: Target) {
  const { clientId } = input;
  if (!clientId || target.isNew) return undefined;
  return takeKnownMessage(deps, user, { ...input, conversationId: target.conversationId, clientId });
}

async function joinKnown(deps: ChatDeps, user: User, input: CheckedInput, turn: StoredTurn): Promise<ChatTurn> {
  if (turn.request_hash !== requestHash(input)) throw keyMismatch();
  await deps.turns.whenStarted(turn.id);
  const live = deps.turns.findByTurn(user, turn.id);
  if (live && input.keepsGoing) live.keepGoing();
  if (live) return withoutNewFiles(input, viewTurn(live));
  if (turn.status === 'running') await isGone(deps, user, turn);
  const now = await deps.store.readTurn(user, turn.id);
  if (!now) throw turnBusyError(turn);
  if (now.status === 'running') return withoutNewFiles(input, await viewElsewhere(deps, user, now));
  if (now.status !== 'interrupted') return withoutNewFiles(input, await replayTurn(deps, user, now));
  const newest = await deps.store.readNewestTurn(user, now.conversation_id);
  if (newest?.id !== now.id) throw answeredSince();
  const place = deps.turns.take(user);
  try {
    const { clientTools = [], files = [], context = [], keepsGoing = true } = input;
    return await resumeTurn(deps, user, { turn: now, clientTools, files, context, keepsGoing });
  } catch (error) {
    // Another retry was first, so watch the attempt that it began.
    const begun = deps.turns.findByTurn(user, turn.id);
    if (begun) return withoutNewFiles(input, viewTurn(begun));
    throw error;
  } finally {
    place.release();
  }
}

/** Continuing the turn now would place its answer after a later message. */
function answeredSince(): AppError {
  return new AppError('turn_interrupted', {
    detail:
      'This turn was interrupted, and the conversation has continued since. Send the message again with a new key.',
  });
}

/** The turn already has its files, so those of this request are not needed. */
async function withoutNewFiles({ files }: CheckedInput, turn: ChatTurn): Promise<ChatTurn> {
  await discardFiles(files);
  return turn;
}

function requestHash(input: CheckedInput): string {
  const { agent, message, conversationId, threadId, digests, responseFormat, ownMetadata } = input;
  const more = [responseFormat, ownMetadata && { ownMetadata }].filter((part) => part !== undefined);
  const what = JSON.stringify([agent, message, conversationId ?? null, threadId ?? null, ...digests, ...more]);
  return createHash('sha256').update(what).digest('hex');
}
