import type { DatabaseSync } from 'node:sqlite';
import type { AppError } from '../../../errors.ts';
import { type Operation, runOperation } from '../operations/run-operation.ts';
import { retryBusyLater } from '../retry-busy.ts';
import type { Runner } from '../runner-lock.ts';
import { createSql, type Sql } from '../sql.ts';
import { toStoreError } from '../store-error.ts';

/** The outcome of one operation. */
export type Outcome = { value: unknown } | { error: AppError };

/**
 * An outcome per operation, in order. Successful operations are readable now and on the disk when `synced` resolves.
 */
interface Committed {
  outcomes: Outcome[];
  synced: Promise<void>;
}

export type CommitGroup = (operations: readonly Operation[]) => Promise<Committed>;

export interface GroupOptions {
  runner: Runner;
  /** How long to wait for other processes to release the write lock. */
  waitMs: number;
  /** Called as soon as the commit is readable. */
  sync(): Promise<void>;
}

/** A failed operation never rolls back another: each has a savepoint, and a lost group is retried one by one. */
export function createCommitGroup(database: DatabaseSync, { runner, waitMs, sync }: GroupOptions): CommitGroup {
  const sql = createSql(database);
  const commitGroup: CommitGroup = async (operations) => {
    await retryBusyLater(waitMs, () => sql.run('BEGIN IMMEDIATE'));
    try {
      const outcomes = operations.map((operation) => {
        const run = () => runOperation(sql, operation, runner);
        // A single operation is rolled back with its transaction.
        return operations.length === 1 ? { value: run() } : runInSavepoint(database, sql, run);
      });
      sql.run('COMMIT');
      return { outcomes, synced: sync() };
    } catch (error) {
      if (database.isTransaction) sql.run('ROLLBACK');
      if (operations.length === 1) return notCommitted(error);
      return commitEach(operations);
    }
  };

  async function commitEach(operations: readonly Operation[]): Promise<Committed> {
    const all: Committed[] = [];
    for (const operation of operations) all.push(await commitGroup([operation]).catch(notCommitted));
    const synced = Promise.all(all.map((one) => one.synced)).then(() => {});
    return { outcomes: all.flatMap((one) => one.outcomes), synced };
  }
  return commitGroup;
}

/** Throws only if SQLite rolled back the whole transaction, as it does when the disk is full. */
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

function notCommitted(error: unknown): Committed {
  return { outcomes: [toFailure(error)], synced: Promise.resolve() };
}

export function toFailure(thrown: unknown): Outcome {
  return { error: toStoreError(thrown) };
}
