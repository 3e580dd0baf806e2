import type { DatabaseSync } from 'node:sqlite';
import type { ErrorCode } from '../../errors.ts';
import { type Operation, type Runner, runOperation } from './operations/run-operation.ts';
import { retryBusy } from './retry-busy.ts';
import { createSql, type Sql } from './sql.ts';
import { toStoreError } from './store-error.ts';

/** What became of one operation, in a form that crosses threads. */
export type Outcome = { value: unknown } | { error: { code: ErrorCode; detail: string; cause: unknown } };

/** Commits operations as a group; gives one outcome for each, in their order, when all that succeeded are on the disk. */
export type CommitGroup = (operations: readonly Operation[]) => Outcome[];

export interface GroupOptions {
  runner: Runner;
  /** How long to wait for other processes to let go of the write lock. */
  waitMs: number;
}

/** One failed operation never takes back another: each has a savepoint, and a group that is lost is tried one by one. */
export function createCommitGroup(database: DatabaseSync, { runner, waitMs }: GroupOptions): CommitGroup {
  const sql = createSql(database);
  const commitGroup: CommitGroup = (operations) => {
    try {
      retryBusy(waitMs, () => sql.run('BEGIN IMMEDIATE'));
    } catch (error) {
      return operations.map(() => toFailure(error));
    }
    try {
      const outcomes = operations.map((operation) => {
        const run = () => runOperation(sql, operation, runner);
        // One alone is taken back with its whole transaction.
        return operations.length === 1 ? { value: run() } : runInSavepoint(database, sql, run);
      });
      sql.run('COMMIT');
      return outcomes;
    } catch (error) {
      if (database.isTransaction) sql.run('ROLLBACK');
      if (operations.length === 1) return [toFailure(error)];
      return operations.flatMap((operation) => commitGroup([operation]));
    }
  };
  return commitGroup;
}

/** Throws only when SQLite gave up the whole transaction, as it does when the disk is full. */
function runInSavepoint(database: DatabaseSync, sql: Sql, action: () => unknown): Outcome {
  sql.run('SAVEPOINT operation');
  try {
    const value = action();
    sql.run('RELEASE operation');
    return { value };
  } catch (error) {
    if (!database.isTransaction) throw error;
    sql.run('ROLLBACK TO operation');
    sql.run('RELEASE operation');
    return toFailure(error);
  }
}

function toFailure(thrown: unknown): Outcome {
  const { code, message, cause } = toStoreError(thrown);
  return { error: { code, detail: message, cause } };
}
