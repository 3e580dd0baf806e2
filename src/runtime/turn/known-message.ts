import { foldEvents } from '../../agent/turn-state.ts';
import type { CallAnswer } from '../../schema/conversation/event.ts';
import type { User } from '../../schema/user.ts';
import type { StoredTurn } from '../../store/store.ts';
import type { Tool } from '../../tools/tool.ts';
import { type AttachedFile, discardFiles } from '../files/attached-file.ts';
import { findAnswered } from './answer-turn.ts';
import type { ContextEntry } from './caller-context.ts';
import { closeWaiting } from './close-waiting.ts';
import { isGone } from './is-gone.ts';
import { prepareSibling, type Sibling } from './replace-turn.ts';
import { resumeTurn } from './resume-turn.ts';
import type { ChatDeps, ChatTurn } from './turn.ts';
import { turnBusyError } from './turn-errors.ts';

export interface MessageAgain {
  agent: string;
  conversationId: string;
  clientId: string;
  message: string;
  idempotencyKey?: string;
  clientTools?: readonly Tool[];
  context?: readonly ContextEntry[];
  results?: readonly CallAnswer[];
  files?: readonly AttachedFile[];
}

/**
 * Handles a message that the conversation already has. An interrupted turn with the same text is continued; an ended
 * turn gets a sibling; a running turn causes an error. Returns undefined if the message is new.
 */
export async function takeKnownMessage(
  deps: ChatDeps,
  user: User,
  input: MessageAgain,
): Promise<ChatTurn | Sibling | undefined> {
  const known = await deps.store.readTurnByMessage(user, input.conversationId, input.clientId);
  if (!known || known.agent !== input.agent) return undefined;
  const begun = input.idempotencyKey && (await findAnswered(deps, user, known, { key: input.idempotencyKey }));
  if (begun) {
    await discardFiles(input.files);
    return begun;
  }
  const replaced = await settleTurn(deps, user, known, input.results);
  if (await canContinue(deps, user, replaced, input.message)) {
    const { clientTools = [], context = [], files = [], idempotencyKey } = input;
    const key = idempotencyKey && { idempotencyKey };
    return resumeTurn(deps, user, { turn: replaced, clientTools, context, files, ...key });
  }
  return prepareSibling(deps, user, { replaced, message: input.message, files: input.files ?? [] });
}

/** The turn once no process runs it: a dead runner's turn is marked interrupted, a wait for the front end is ended. */
async function settleTurn(
  deps: ChatDeps,
  user: User,
  turn: StoredTurn,
  results: readonly CallAnswer[] | undefined,
): Promise<StoredTurn> {
  const live = deps.turns.findByTurn(user, turn.id);
  if (live) throw turnBusyError(live.isAsking() ? { ...turn, status: 'waiting' } : turn);
  if (turn.status === 'running') await isGone(deps, user, turn);
  if (turn.status === 'waiting' && results) await closeWaiting(deps, user, { turn, results });
  const now = (await deps.store.readTurn(user, turn.id)) ?? turn;
  if (now.status === 'running' || now.status === 'waiting') throw turnBusyError(now);
  return now;
}

/** Only the last turn of the path is continued, because its answer must not come after a later message. */
async function canContinue(deps: ChatDeps, user: User, turn: StoredTurn, message: string): Promise<boolean> {
  if (turn.status !== 'interrupted') return false;
  const newest = await deps.store.readNewestTurn(user, turn.conversation_id);
  if (newest?.id !== turn.id) return false;
  return foldEvents(await deps.store.readEvents(user, turn.id)).messages[0]?.content === message;
}
