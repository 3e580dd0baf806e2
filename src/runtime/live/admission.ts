import { AppError } from '../../errors.ts';
import type { ServerConfig } from '../../schema/agent.ts';
import type { User } from '../../schema/user.ts';
import type { UserLimits } from '../../store/store.ts';

/** Held until released; a second release does nothing. */
interface Place {
  release(): void;
}

/** Capacity that users share, so that no user can take all of it. */
export interface Admission {
  /** Takes a place for this user; throws `over_capacity` if there is none. */
  take(user: User): Place;
}

/** The places of each user. */
export interface Share extends Admission {
  /** Takes a place for an already admitted turn, without a limit. */
  hold(user: User): Place;
}

export interface ShareOptions {
  /** Places per user; undefined = unlimited. */
  perUser: number | undefined;
  /** Names the places in messages, as in "8 of your turns are running". */
  what: string;
}

const SMALLEST_SHARE = 4;
const SHARE_OF_ALL = 1 / 4;

export function createShare({ perUser, what }: ShareOptions): Share {
  const held = new Map<string, number>();
  const hold = ({ id }: User): Place => {
    held.set(id, (held.get(id) ?? 0) + 1);
    let isHeld = true;
    return {
      release() {
        if (!isHeld) return;
        isHeld = false;
        const left = (held.get(id) ?? 0) - 1;
        if (left > 0) held.set(id, left);
        else held.delete(id);
      },
    };
  };
  return {
    hold,
    take(user) {
      if (perUser === undefined || (held.get(user.id) ?? 0) < perUser) return hold(user);
      const detail = `${perUser} of your ${what}, which is the limit of one user. End one of them, or try again in a moment.`;
      throw new AppError('over_capacity', { detail, retryAfterSeconds: 1 });
    },
  };
}

/** The limits of one user over all servers of a shared store. */
export function userLimits(server: ServerConfig): UserLimits {
  const { turns } = userShares(server);
  return { ...(turns !== undefined && { turns }), turnsPerMinute: server.rate_limit.turns_per_minute };
}

/**
 * Turns and streams that a user may have at once: the values of agent.yaml, by default a quarter of `max_active_turns`.
 * Without authentication there is only one user, who may use all.
 */
export function userShares(server: ServerConfig): { turns: number | undefined; streams: number | undefined } {
  const quarter = Math.max(SMALLEST_SHARE, Math.floor(server.max_active_turns * SHARE_OF_ALL));
  const usual = server.auth ? quarter : undefined;
  return { turns: server.max_active_turns_per_user ?? usual, streams: server.max_streams_per_user ?? usual };
}
