import type { Clock } from '../clock.ts';

export interface Budget {
  /** Draws one; false when nothing is left for now. */
  take(amount?: number): boolean;
}

/** A bucket that holds `burst` and refills at `perSecond`. */
export function createBudget(options: { burst: number; perSecond: number; clock: Clock }): Budget {
  const { burst, perSecond, clock } = options;
  let left = burst;
  let filledAt = clock.now();
  return {
    take(amount = 1) {
      const now = clock.now();
      left = Math.min(burst, left + ((now - filledAt) / 1000) * perSecond);
      filledAt = now;
      if (left < amount) return false;
      left -= amount;
      return true;
    },
  };
}
