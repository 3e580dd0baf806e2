import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { User } from '../schema/user.ts';

const MINUTE_MS = 60_000;
/** Above this number, buckets that are full again are deleted. */
const SWEEP_AT = 10_000;

interface Bucket {
  left: number;
  at: number;
}

/** Takes one turn from the user's bucket; throws `rate_limited` with the time until the next one. */
export type TakeTurn = (user: User) => void;

export interface RateLimit {
  take: TakeTurn;
  /** Throws as `take` would, but takes nothing; called before a body is read. */
  check: TakeTurn;
}

/** A token bucket per user that holds one minute's turns and refills evenly. */
export function createRateLimit({ perMinute, clock }: { perMinute: number; clock: Clock }): RateLimit {
  const buckets = new Map<string, Bucket>();
  const perMs = perMinute / MINUTE_MS;
  const fill = ({ left, at }: Bucket, now: number) => Math.min(perMinute, left + (now - at) * perMs);
  const sweep = (now: number) => {
    for (const [id, bucket] of buckets) if (fill(bucket, now) >= perMinute) buckets.delete(id);
  };

  const readBucket = (user: User): Bucket => {
    const now = clock.now();
    if (buckets.size > SWEEP_AT) sweep(now);
    const left = fill(buckets.get(user.id) ?? { left: perMinute, at: now }, now);
    if (left >= 1) return { left, at: now };
    const detail = `You have used your ${perMinute} turns of this minute. Wait a moment and try again.`;
    throw new AppError('rate_limited', { detail, retryAfterSeconds: Math.ceil((1 - left) / perMs / 1000) });
  };

  return {
    check: (user) => void readBucket(user),
    take(user) {
      const { left, at } = readBucket(user);
      buckets.set(user.id, { left: left - 1, at });
    },
  };
}
