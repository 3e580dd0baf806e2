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

/** How many bytes one server may send; with more it is no longer listened to. */
export function createOutputBudget(clock: Clock): Budget {
  return createBudget({ burst: 256_000_000, perSecond: 50_000_000, clock });
}
