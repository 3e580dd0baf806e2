import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { CallAnswer } from '../schema/event.ts';
import type { JsonObject } from '../schema/json.ts';
import { newUlid } from '../schema/new-ulid.ts';
import type { User } from '../schema/user.ts';
import { cleanUserText, type TextCheck } from '../schema/user-text.ts';
import type { BeginTurn, StoredTurn } from '../store/store.ts';
import type { Tool } from '../tools/tool.ts';
import { type AttachedFile, cleanFiles, digestFiles, discardFiles } from './attached-file.ts';
import type { ContextEntry } from './caller-context.ts';
import { takeHistory, toSeed } from './caller-history.ts';
import { keyMismatch } from './check-answers.ts';
import { closeWaiting } from './close-waiting.ts';
import {
  type ChatDeps,
  type ChatTurn,
  continueTurn,
  conversationNotFound,
  inTheWay,
  replay,
  run,
  view,
} from './continue-turn.ts';
import { firstWrite } from './first-write.ts';
import { isGone } from './is-gone.ts';
import { takeKnownMessage } from './known-message.ts';

export interface ChatInput {
  agent: string;
  message: string;
  /** The caller's id for the message. One that the conversation already has means: answer it again, or edit it. */
  clientId?: string;
  /** Absent = a new conversation, unless `threadId` names one. */
  conversationId?: string;
  threadId?: string;
  idempotencyKey?: string;
  /** Goes on when the last viewer leaves; a key asks for that too. */
  keepsGoing?: boolean;
  /** Tools that the caller runs itself. */
  clientTools?: readonly Tool[];
  /** Earlier messages by the caller's account: the begin of a new conversation, otherwise ignored. */
  history?: readonly unknown[];
  /** What the caller's page shows: read by the model in this turn, and kept nowhere. */
  context?: readonly ContextEntry[];
  /**
   * Results of front-end calls that the newest turn waits for. Given, even empty, the message ends that wait: a call
   * without a result gets a synthetic one.
   */
  results?: readonly CallAnswer[];
  /** The trace that the caller is in. */
  traceparent?: string;
  /** Kept with the message. */
  metadata?: JsonObject;
  /** Files that go with the message; they are let go when they have been read, or when no turn comes of this. */
  files?: readonly AttachedFile[];
}

/** A request whose text and files have been checked; `digests` tell the files of two requests apart. */
interface CheckedInput extends ChatInput {
  digests: readonly string[];
}

/** Takes a message in: begins a turn, or joins, replays or continues the one that its key stands for. */
export async function chat(deps: ChatDeps, user: User, input: ChatInput): Promise<ChatTurn> {
  try {
    const { agent } = deps.findAgent(input.agent);
    const checked = checkInput(input, agent.limits.message_chars, deps.textChecks);
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
  const given = target.isNew ? takeHistory(input.history ?? [], { limits, at }) : { messages: [], notices: [] };
  const request: BeginTurn = {
    agent: input.agent,
    turnId,
    ...target,
    ...(again && { replaces: again.replaces }),
    ...(input.idempotencyKey && { idempotencyKey: input.idempotencyKey, requestHash: requestHash(input) }),
    ...(given.messages.length > 0 && { seed: toSeed(given.messages) }),
    write,
    now: at,
  };
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
      return view(run(deps, user, { ...input, notices: given.notices, lease: begun.lease, events: write.events }));
    case 'known':
      return joinKnown(deps, user, input, begun.turn);
    case 'mismatch':
      throw keyMismatch();
    case 'missing':
      throw conversationNotFound();
    case 'busy': {
      const isAsking = deps.turns.findByTurn(user, begun.turn.id)?.isAsking() ?? false;
      throw inTheWay(isAsking ? { ...begun.turn, status: 'waiting' } : begun.turn);
    }
  }
}

type Target = Pick<BeginTurn, 'conversationId' | 'isNew' | 'threadId'>;

/** Which conversation the message goes to. An unknown id is an error later, never a silent new conversation. */
async function findTarget(deps: ChatDeps, user: User, input: ChatInput): Promise<Target> {
  if (input.conversationId) return { conversationId: input.conversationId, isNew: false };
  if (!input.threadId) return { conversationId: newUlid(), isNew: true };
  const thread = await deps.store.readThread(user, input.agent, input.threadId);
  if (thread) return { conversationId: thread.id, isNew: false };
  return { conversationId: newUlid(), isNew: true, threadId: input.threadId };
}

/** A message with an id that the conversation already has; undefined = it is new. */
async function findAgain(deps: ChatDeps, user: User, input: CheckedInput, target: Target) {
  const { clientId } = input;
  if (!clientId || target.isNew) return undefined;
  return takeKnownMessage(deps, user, { ...input, conversationId: target.conversationId, clientId });
}

async function joinKnown(deps: ChatDeps, user: User, input: CheckedInput, turn: StoredTurn): Promise<ChatTurn> {
  if (turn.request_hash !== requestHash(input)) throw keyMismatch();
  const live = deps.turns.findByTurn(user, turn.id);
  if (live && input.keepsGoing) live.keepGoing();
  if (live) return letGo(input, view(live));
  if (turn.status === 'running') await isGone(deps, user, turn);
  const now = await deps.store.readTurn(user, turn.id);
  if (!now || now.status === 'running') throw inTheWay(turn);
  if (now.status !== 'interrupted') return letGo(input, await replay(deps, user, now));
  const newest = await deps.store.readNewestTurn(user, now.conversation_id);
  if (newest?.id !== now.id) throw answeredSince();
  const place = deps.turns.take(user);
  try {
    const { clientTools = [], files = [], context = [], keepsGoing = true } = input;
    return await continueTurn(deps, user, { turn: now, clientTools, files, context, keepsGoing });
  } catch (error) {
    // Another retry was first: this one watches what that one began.
    const begun = deps.turns.findByTurn(user, turn.id);
    if (begun) return letGo(input, view(begun));
    throw error;
  } finally {
    place.release();
  }
}

/** Continuing it now would put its answer behind a later message. */
function answeredSince(): AppError {
  return new AppError('turn_interrupted', {
    detail: 'This turn was interrupted, and the conversation has gone on since. Send the message again with a new key.',
  });
}

/** The turn has its files already; those that came with this request are not needed. */
async function letGo({ files }: CheckedInput, turn: ChatTurn): Promise<ChatTurn> {
  await discardFiles(files);
  return turn;
}

function requestHash({ agent, message, conversationId, threadId, digests }: CheckedInput): string {
  const what = JSON.stringify([agent, message, conversationId ?? null, threadId ?? null, ...digests]);
  return createHash('sha256').update(what).digest('hex');
}
