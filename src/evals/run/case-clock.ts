import type { Clock } from '../../clock.ts';

/** A clock whose date begins at a given instant and advances with the real one. A bare date begins at noon, UTC. */
export function clockAt(clock: Clock, now: string | undefined): Clock {
  if (now === undefined) return clock;
  const startMs = Date.parse(now.includes('T') ? now : `${now}T12:00:00Z`);
  const begunMs = clock.now();
  return { ...clock, date: () => new Date(startMs + Math.round(clock.now() - begunMs)) };
}
