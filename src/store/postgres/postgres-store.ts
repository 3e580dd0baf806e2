import packageJson from '../../../package.json' with { type: 'json' };
import { systemClock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { type Ids, systemIds } from '../../ids.ts';
import { readsFrom } from '../read/reads.ts';
import { DROP_EXPIRED, type SecretStore, secretStatement, TAKE_SECRET } from '../secrets.ts';
import type { SharedStore, TurnRequest } from '../shared.ts';
import type { Store } from '../store.ts';
import { createGroupWriter } from './group-writer.ts';
import { createLink, type Link } from './link.ts';
import { createNotifyBus, type NotifyBus } from './notify-bus.ts';
import { makePartitions, migrate } from './open.ts';
import { holdLease, type RunnerLease } from './runner-lease.ts';
import { indexTexts, searchConversations } from './search.ts';
import { spendingTo } from './spending.ts';
import { toStoreError, unavailable } from './store-error.ts';
import { writesTo } from './writes.ts';

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`; several hosts separated by commas. */
  url: string;
  now?: () => Date;
  ids?: Ids;
  /** How long a server without a sign of life keeps its turns. */
  leaseMs?: number;
  /** The monotonic clock. */
  elapsed?: () => number;
  /** Replaces NOTIFY; a test drops, doubles and delays notes with it. */
  openBus?: typeof createNotifyBus;
}

const LEASE_MS = 8_000;
/** Followers on other servers get text over the bus, and lost text is asked for again. */
const SEGMENT_MS = 1_000;
const WRITERS = 2;
const READERS = 6;
const READ_STALL_MS = 10_000;

/** The store that several servers share. Opening it migrates the tables and recovers the turns of dead servers. */
export async function createPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, now = systemClock.date, ids = systemIds, leaseMs = LEASE_MS, openBus = createNotifyBus } = options;
  const { elapsed = systemClock.now } = options;
  const links: Link[] = [];
  const openLink = (connections: number, stallMs: number) => {
    const link = createLink({ url, connections, stallMs });
    links.push(link);
    return link;
  };
  const closeLinks = () => Promise.allSettled(links.map((link) => link.close()));
  try {
    // A lease needs its own connection: a full pool must never cost it.
    const vital = openLink(1, leaseMs / 4);
    await migrate(vital, url);
    await makePartitions(vital);
    const lease = await holdLease({ link: vital, url, ids, version: packageJson.version, leaseMs, elapsed });
    const writing = openLink(WRITERS, leaseMs / 2);
    const reading = openLink(READERS, READ_STALL_MS);
    const bus = await openBus({ url, ids, elapsed });
    return assemble({ url, now, ids, lease, writing, reading, bus, closeLinks });
  } catch (error) {
    await closeLinks();
    throw atStart(toStoreError(error, url));
  }
}

/** At start the author reads the message, so it names the host and the reason. */
function atStart(error: AppError): AppError {
  if (error.author === undefined) return error;
  return new AppError(error.code, { detail: error.author, cause: error });
}

interface Parts {
  url: string;
  now(): Date;
  ids: Ids;
  lease: RunnerLease;
  writing: Link;
  reading: Link;
  bus: NotifyBus;
  closeLinks(): Promise<unknown>;
}

async function assemble({ url, now, ids, lease, writing, reading, bus, closeLinks }: Parts): Promise<Store> {
  const writer = createGroupWriter({ link: writing, url, isHeld: lease.isHeld });
  let closed: Promise<void> | undefined;
  const close = async () => {
    await writer.drain();
    await lease.close().catch(() => {});
    await bus.close();
    await closeLinks();
  };
  const store = withErrors(
    {
      ...writesTo({ link: reading, writer, lease, url, ids, now }),
      ...readsFrom(reading, { now, eventOfTurn: EVENT_OF_TURN }),
      ...searchFrom(reading),
      ...sharedParts(reading),
      ...secretWritesTo(reading),
      ...spendingTo(reading),
      changeMark: async () => (await reading.one<{ mark: number }>(MARK))?.mark ?? 0,
    },
    { url, isClosed: () => closed !== undefined },
  );
  await store.recover();
  return {
    ...store,
    isShared: true,
    segmentMs: SEGMENT_MS,
    bus,
    onLost: lease.onLost,
    mayAct: lease.isFresh,
    describe: () => ({ kind: 'postgres', bus: bus.isLive ? 'live' : 'polling' }),
    findProblem: () => (lease.failure() === undefined ? undefined : unavailable('no connection', url, lease.failure())),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/** Events are stored by month; its value lets the database skip all other partitions. */
const EVENT_OF_TURN = 'e.turn = t.number AND e.month = t.month';

/** Grows with every transaction that writes. */
const MARK = 'SELECT txid_snapshot_xmax(txid_current_snapshot())::bigint AS mark';

type Methods = Omit<
  Store,
  'isShared' | 'segmentMs' | 'bus' | 'onLost' | 'mayAct' | 'describe' | 'findProblem' | 'close'
>;

/** Converts the driver's errors of every method; a closed store refuses. */
function withErrors(methods: Methods, { url, isClosed }: { url: string; isClosed(): boolean }): Methods {
  const wrapped = Object.entries(methods).map(([name, method]) => {
    const call = async (...args: unknown[]) => {
      if (isClosed()) throw new AppError('store_unavailable', { detail: 'The store is closed. Start HoloDeck again.' });
      try {
        return await (method as (...given: unknown[]) => Promise<unknown>)(...args);
      } catch (error) {
        throw toStoreError(error, url);
      }
    };
    return [name, call];
  });
  // The cast is safe: every method keeps its name and its arguments.
  return Object.fromEntries(wrapped) as Methods;
}

const REQUEST = `INSERT INTO requests (turn, body)
  SELECT number, $1 FROM turns WHERE id = $2 AND user_id = $3 AND status = 'running' RETURNING 1 AS done`;
const TAKE_REQUESTS = `WITH taken AS (DELETE FROM requests WHERE turn IN (SELECT number FROM turns
    WHERE id IN (SELECT jsonb_array_elements_text($1::text::jsonb))) RETURNING number, turn, body)
  SELECT taken.body, t.id AS "turnId" FROM taken JOIN turns t ON t.number = taken.turn ORDER BY taken.number`;

function sharedParts(link: Link): Pick<SharedStore, 'requestTurn' | 'takeRequests'> {
  return {
    async requestTurn(user, turnId, request) {
      return (await link.one(REQUEST, JSON.stringify(request), turnId, user.id)) !== undefined;
    },
    async takeRequests(turnIds) {
      const rows = await link.all<{ body: string; turnId: string }>(TAKE_REQUESTS, JSON.stringify(turnIds));
      return rows.map(({ body, turnId }) => ({ ...(JSON.parse(body) as TurnRequest), turnId }));
    },
  };
}

function searchFrom(sql: Link): Pick<Store, 'searchConversations'> {
  return {
    async searchConversations(user, page) {
      // A database that cannot be written must not hide the texts that are indexed already.
      await indexTexts(sql, user).catch(() => {});
      return searchConversations(sql, user, page);
    },
  };
}

function secretWritesTo(link: Link): Pick<SecretStore, 'writeSecret' | 'takeSecret'> {
  return {
    async writeSecret(user, write) {
      await link.all(DROP_EXPIRED, write.now);
      return (await link.one(...secretStatement(user?.id ?? '', write))) !== undefined;
    },
    takeSecret: async (user, name) => (await link.one<{ value: string }>(TAKE_SECRET, user?.id ?? '', name))?.value,
  };
}
