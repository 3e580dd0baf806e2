import type { Clock } from '../../clock.ts';
import type { SupervisorLimits } from '../limits.ts';

export interface Budget {
  /** Takes an amount; false if not enough is left for now. */
  take(amount?: number): boolean;
}

/** A token bucket that holds `burst` and refills at `perSecond`. */
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

/** The limits that a connection applies to its server. */
export type OutputLimits = Pick<SupervisorLimits, 'outputBytes' | 'outputBytesPerSecond'>;

/** Bytes that one server may send. A server that sends more is disconnected. */
export function createOutputBudget(clock: Clock, limits: OutputLimits): Budget {
  return createBudget({ burst: limits.outputBytes, perSecond: limits.outputBytesPerSecond, clock });
}
