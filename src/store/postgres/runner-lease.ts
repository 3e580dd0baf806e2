import type { Ids } from '../../ids.ts';
import type { Link } from './link.ts';
import { codeOf, isAway, toStoreError } from './store-error.ts';

export interface LeaseOptions {
  link: Link;
  url: string;
  ids: Ids;
  version: string;
  /** The lease is valid for so long after each renewal. */
  leaseMs: number;
  /** The monotonic clock. */
  elapsed(): number;
}

/** The proof that this server is alive, by the database's clock. */
export interface RunnerLease {
  /** The runner id of turns that begin now. */
  readonly id: string;
  /** Whether the lease certainly lasts a while; a tool that must not run twice may begin. */
  isFresh(): boolean;
  /** Whether the lease can still be valid, so that a write may be tried again. */
  isHeld(): boolean;
  /** Renews at once; takes a new id if the lease is over. */
  check(): Promise<void>;
  onLost(callback: () => void): () => void;
  /** The error of the last renewal; undefined if it succeeded. */
  failure(): unknown;
  close(): Promise<void>;
}

/** A renewal every quarter of the lease; a failed one is tried again soon. */
const RENEWALS = 4;
const RETRY_MS = 250;
/** The rest of the lease is kept for a call on its way. */
const FRESH_SHARE = 0.8;

const TAKE = `INSERT INTO runners (id, version, expires_at) VALUES ($1, $2, now() + $3 * interval '1 ms')`;
const RENEW = `UPDATE runners SET expires_at = now() + $2 * interval '1 ms'
  WHERE id = $1 AND expires_at > now() RETURNING 1 AS done`;

/** Takes a lease and renews it. A lease that is over is never revived: a new runner id takes its place. */
export async function holdLease({ link, url, ids, version, leaseMs, elapsed }: LeaseOptions): Promise<RunnerLease> {
  const listeners = new Set<() => void>();
  let id = ids.ulid();
  let beganAt = elapsed();
  let failure: unknown;
  let timer: NodeJS.Timeout | undefined;
  let renewing: Promise<void> | undefined;
  let isClosed = false;

  const take = async () => {
    const at = elapsed();
    await link.all(TAKE, id, version, leaseMs);
    beganAt = at;
  };
  const replace = async () => {
    id = ids.ulid();
    // Listeners first: no turn of the old id may go on while a new one is taken.
    for (const callback of listeners) callback();
    await take();
  };
  const renew = async () => {
    const at = elapsed();
    const row = await link.one(RENEW, id, leaseMs);
    if (!row) return replace();
    beganAt = at;
  };
  const renewOnce = async () => {
    try {
      await renew();
      failure = undefined;
    } catch (error) {
      failure = error;
    }
  };
  const check = () => {
    renewing ??= renewOnce().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
  const schedule = () => {
    if (isClosed) return;
    const pause = failure === undefined ? leaseMs / RENEWALS : RETRY_MS;
    timer = setTimeout(() => void check().then(schedule), pause).unref();
  };

  try {
    await take();
  } catch (error) {
    throw toStoreError(error, url);
  }
  schedule();
  return {
    get id() {
      return id;
    },
    isFresh: () => elapsed() - beganAt < leaseMs * FRESH_SHARE,
    isHeld: () => elapsed() - beganAt < leaseMs,
    check,
    onLost(callback) {
      listeners.add(callback);
      return () => listeners.delete(callback);
    },
    failure: () => failure,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await renewing;
      await link.all('DELETE FROM runners WHERE id = $1', id).catch((error: unknown) => {
        if (!isAway(error) && codeOf(error) !== '42P01') throw error;
      });
    },
  };
}
