import { AppError } from '../errors.ts';
import type { User } from '../schema/user.ts';
import type { StoredTurn } from '../store/store.ts';
import { requestElsewhere } from './live/elsewhere.ts';
import type { LiveTurn } from './live/live-turn.ts';
import { isGone } from './turn/is-gone.ts';
import { resumeTurn } from './turn/resume-turn.ts';
import type { ChatDeps } from './turn/turn.ts';

/**
 * Stops a conversation's turn, running or waiting, and keeps its output so far. Returns false if there is nothing to
 * stop.
 */
export async function cancelTurn(deps: ChatDeps, user: User, conversationId: string): Promise<boolean> {
  if (await stopLive(deps.turns.findByConversation(user, conversationId))) return true;
  const turn = await deps.store.readNewestTurn(user, conversationId);
  if (turn?.status === 'waiting') return giveUpWaiting(deps, user, turn);
  if (turn?.status !== 'running') return false;
  // It may have begun here since the first look.
  await deps.turns.whenStarted(turn.id);
  const own = deps.turns.findByTurn(user, turn.id);
  if (own) return (await stopLive(own)) || giveUpWaiting(deps, user, { ...turn, status: 'waiting' });
  // On a shared store another server could continue the turn at any moment, so it is ended.
  if (await isGone(deps, user, turn)) return deps.store.isShared && endLeft(deps, user, turn.id);
  return cancelElsewhere(deps, user, turn);
}

/** Returns false if there was nothing to stop, or if the turn had just started to wait. */
async function stopLive(live: LiveTurn | undefined): Promise<boolean> {
  if (!live) return false;
  live.cancel();
  const result = await live.done.catch(() => undefined);
  return result?.status !== 'waiting';
}

async function endLeft(deps: ChatDeps, user: User, turnId: string): Promise<boolean> {
  const turn = await deps.store.readTurn(user, turnId);
  return turn?.status === 'interrupted' && giveUpWaiting(deps, user, turn);
}

/** Asks the process that runs a turn to stop it. Returns false if that process is dead. */
async function cancelElsewhere(deps: ChatDeps, user: User, turn: StoredTurn): Promise<boolean> {
  const now = await requestElsewhere(deps, user, { turn, request: { kind: 'cancel' } });
  if (now?.status === 'waiting') return giveUpWaiting(deps, user, now);
  // A turn that was deleted meanwhile was stopped before; the turn of a dead process is still stored.
  if (!now) return (await deps.store.readTurn(user, turn.id)) === undefined;
  return now.status !== 'interrupted';
}

/** Resumes a waiting turn only to end it; its calls are given up without being run. */
async function giveUpWaiting(
  deps: ChatDeps,
  user: User,
  turn: Parameters<typeof resumeTurn>[2]['turn'],
): Promise<boolean> {
  await resumeTurn(deps, user, { turn, clientTools: [] }).catch(ignoreTaken);
  const live = deps.turns.findByTurn(user, turn.id);
  live?.cancel();
  await live?.done.catch(() => {});
  return true;
}

/** `turn_running` means that another request is ending the turn at this moment. */
function ignoreTaken(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'turn_running')) throw error;
}

/**
 * Deletes a conversation and everything in it. A running turn is stopped first, so that no call acts for a deleted
 * conversation.
 */
export async function deleteConversation(deps: ChatDeps, user: User, id: string): Promise<boolean> {
  await stopOwn(deps, user, id);
  const newest = await deps.store.readNewestTurn(user, id);
  if (newest?.status === 'running') await stopStored(deps, user, newest);
  const isDeleted = await deps.store.deleteConversation(user, id);
  // A turn may have started during the deletion.
  await stopOwn(deps, user, id);
  return isDeleted;
}

async function stopStored(deps: ChatDeps, user: User, turn: StoredTurn): Promise<void> {
  // A turn that begins here at this moment is fenced by the deletion: its first write fails.
  if (deps.turns.isStarting(turn.id)) return;
  if (await stopLive(deps.turns.findByTurn(user, turn.id))) return;
  if (await isGone(deps, user, turn)) return;
  // A runner that does not react is fenced by the deletion, too.
  await cancelElsewhere(deps, user, turn).catch(ignoreTaken);
}

async function stopOwn({ turns }: ChatDeps, user: User, id: string): Promise<void> {
  await stopLive(turns.findByConversation(user, id));
}
