import { AppError } from '../../errors.ts';
import { isTurnEnded } from '../../schema/conversation/turn.ts';
import type { StoredTurn, UserLimits } from '../../store/store.ts';

/** Returns the reason why a conversation takes no new turn now. */
export function turnBusyError(turn: StoredTurn): AppError {
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
    detail: 'There is no such conversation. Leave out session_id to start a new one.',
  });
}

export function keyMismatch(): AppError {
  return new AppError('idempotency_mismatch', {
    detail: 'This Idempotency-Key was used for another request. Use a new key for a new message.',
  });
}

export function noLongerKept(): AppError {
  return new AppError('no_longer_kept', { detail: 'The events of this turn are no longer kept; its result is.' });
}

/** The limit of one user, counted over all servers. */
export function overLimit(limit: keyof UserLimits): AppError {
  if (limit === 'turns') {
    const detail = 'Your running turns reach the limit of one user. End one of them, or try again in a moment.';
    return new AppError('over_capacity', { detail, retryAfterSeconds: 1 });
  }
  const detail = 'You have used your turns of this minute. Wait a moment and try again.';
  return new AppError('rate_limited', { detail, retryAfterSeconds: 5 });
}
