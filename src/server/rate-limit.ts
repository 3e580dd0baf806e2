import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { User } from '../schema/user.ts';

const MINUTE_MS = 60_000;
/** Users whose buckets are full again are forgotten when there are more than this. */
const SWEEP_AT = 10_000;

interface Bucket {
  left: number;
  at: number;
}

/** Takes one turn from the user's minute; throws `rate_limited` with the time until the next one. */
export type TakeTurn = (user: User) => void;

/** A bucket per user that holds a minute's turns and fills evenly. */
export function createRateLimit({ perMinute, clock }: { perMinute: number; clock: Clock }): TakeTurn {
  const buckets = new Map<string, Bucket>();
  const perMs = perMinute / MINUTE_MS;
  const fill = ({ left, at }: Bucket, now: number) => Math.min(perMinute, left + (now - at) * perMs);
  const sweep = (now: number) => {
    for (const [id, bucket] of buckets) if (fill(bucket, now) >= perMinute) buckets.delete(id);
  };

  return (user) => {
    const now = clock.now();
    if (buckets.size > SWEEP_AT) sweep(now);
    const bucket = buckets.get(user.id) ?? { left: perMinute, at: now };
    const left = fill(bucket, now);
    if (left < 1) {
      const detail = `You have used your ${perMinute} turns of this minute. Wait a moment.`;
      throw new AppError('rate_limited', { detail, retryAfterSeconds: Math.ceil((1 - left) / perMs / 1000) });
    }
    buckets.set(user.id, { left: left - 1, at: now });
  };
}
