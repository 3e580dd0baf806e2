import type { AppError } from '../../errors.ts';
import type { Outcome } from './commit/commit-group.ts';

/** Tracks whether the newest writes reached the disk. */
export interface WriteHealth {
  note(outcomes: readonly Outcome[]): void;
  /**
   * Why the newest group of writes failed. Each call after a failure starts a trial write, whose outcome a later call
   * returns: free space on the disk is noticed without a turn.
   */
  findProblem(): AppError | undefined;
}

export function createWriteHealth(tryWrite: () => Promise<unknown>): WriteHealth {
  let failed: AppError | undefined;
  let isTrying = false;

  async function tryOnce(): Promise<void> {
    isTrying = true;
    await tryWrite().catch(() => {});
    isTrying = false;
  }

  return {
    note(outcomes) {
      failed = outcomes.map(unavailable).find((error) => error !== undefined);
    },
    findProblem() {
      if (failed && !isTrying) void tryOnce();
      return failed;
    },
  };
}

/** The error of a disk or file at fault. Other errors belong to one operation. */
function unavailable(outcome: Outcome): AppError | undefined {
  return 'error' in outcome && outcome.error.code === 'store_unavailable' ? outcome.error : undefined;
}
