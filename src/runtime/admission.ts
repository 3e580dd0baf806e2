import { AppError } from '../errors.ts';
import type { ServerConfig } from '../schema/agent.ts';
import type { User } from '../schema/user.ts';

/** Held until it is released; a second release does nothing. */
interface Place {
  release(): void;
}

/** Places that users share, so that one user cannot hold all of them. */
export interface Admission {
  /** Holds a place for this user; throws `over_capacity` when there is none. */
  take(user: User): Place;
}

/** The places of one user. */
export interface Share extends Admission {
  /** Holds a place for what was let in before, without asking for room. */
  hold(user: User): Place;
}

export interface ShareOptions {
  /** Places of one user; undefined = as many as are asked for. */
  perUser: number | undefined;
  /** Names the places, as in "8 of your turns are running". */
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

/**
 * How many turns and streams one user may have at once: as agent.yaml names it, else a quarter of `max_active_turns`.
 * Without authentication there is one user, who may have all.
 */
export function userShares(server: ServerConfig): { turns: number | undefined; streams: number | undefined } {
  const quarter = Math.max(SMALLEST_SHARE, Math.floor(server.max_active_turns * SHARE_OF_ALL));
  const usual = server.auth ? quarter : undefined;
  return { turns: server.max_active_turns_per_user ?? usual, streams: server.max_streams_per_user ?? usual };
}
