import { AppError } from '../errors.ts';
import type { User } from '../schema/user.ts';
import type { StoredTurn } from '../store/store.ts';
import { awaitElsewhere, requestElsewhere } from './live/elsewhere.ts';
import type { LiveTurn } from './live/live-turn.ts';
import { isGone } from './turn/is-gone.ts';
import { resumeTurn } from './turn/resume-turn.ts';
import type { ChatDeps } from './turn/turn.ts';

/**
 * Stops a conversation's turn, running or waiting, and keeps its output so far. Returns false if there is nothing to
 * stop.
 */
export async function cancelTurn(deps: ChatDeps, user: User, conversationId: string): Promise<boolean> {
  const live = deps.turns.findByConversation(user, conversationId);
  const newest = () => deps.store.readNewestTurn(user, conversationId);
  const [asked, first] = await Promise.all([newest().catch(() => undefined), stopLive(live)]);
  if (first === 'stopped') return true;
  const turn = await newest();
  // The turn that was to be stopped is over. A newer one is meant only if another server had begun it before the request.
  if (first === 'over' && turn?.id !== live?.turnId && turn?.id !== asked?.id) return false;
  if (turn?.status === 'waiting') return giveUpWaiting(deps, user, turn);
  if (turn?.status !== 'running') return false;
  // It may have begun here since the first look.
  await deps.turns.whenStarted(turn.id);
  const own = deps.turns.findByTurn(user, turn.id);
  const end = await stopLive(own);
  if (end === 'waiting') return giveUpWaiting(deps, user, { ...turn, status: 'waiting' });
  if (end) return end === 'stopped';
  if (await isGone(deps, user, turn)) return endLeft(deps, user, turn.id);
  return cancelElsewhere(deps, user, turn);
}

/**
 * Stops a turn of this process and returns how it ended: `over` if it ended before the stop took effect, so that the
 * conversation may already have a newer turn.
 */
async function stopLive(live: LiveTurn | undefined): Promise<'stopped' | 'waiting' | 'over' | undefined> {
  if (!live) return undefined;
  const isFirst = live.cancel();
  // A turn whose journal cannot be written ends here in any case.
  const { status } = await live.done.catch(() => ({ status: 'cancelled' }));
  if (status === 'waiting') return 'waiting';
  return isFirst && status === 'cancelled' ? 'stopped' : 'over';
}

/** Ends a turn that has just stopped running: it waits now, or its process is dead. */
async function endLeft(deps: ChatDeps, user: User, turnId: string): Promise<boolean> {
  const turn = await deps.store.readTurn(user, turnId);
  if (turn?.status === 'waiting') return giveUpWaiting(deps, user, turn);
  // On a shared store another server could continue the turn of a dead process at any moment.
  return turn?.status === 'interrupted' && deps.store.isShared && giveUpWaiting(deps, user, turn);
}

/** Asks the process that runs a turn to stop it. Returns false if that process is dead. */
async function cancelElsewhere(deps: ChatDeps, user: User, turn: StoredTurn): Promise<boolean> {
  const now = await requestElsewhere(deps, user, { turn, request: { kind: 'cancel' } });
  if (now?.status === 'waiting') return giveUpWaiting(deps, user, now);
  // A turn that was deleted meanwhile was stopped before; the turn of a dead process is still stored.
  if (!now) return (await deps.store.readTurn(user, turn.id)) === undefined;
  return now.status === 'cancelled';
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
  // Another server may be ending it: the conversation is free only when that is done.
  await (live ? live.done.catch(() => {}) : awaitElsewhere(deps, user, { turn }).catch(ignoreTaken));
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
  const end = await stopLive(deps.turns.findByTurn(user, turn.id));
  if (end === 'stopped' || end === 'over') return;
  if (await isGone(deps, user, turn)) return;
  // A runner that does not react is fenced by the deletion, too.
  await cancelElsewhere(deps, user, turn).catch(ignoreTaken);
}

async function stopOwn({ turns }: ChatDeps, user: User, id: string): Promise<void> {
  await stopLive(turns.findByConversation(user, id));
}
