import { fdatasyncSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANN, endTurn, eventOf, NOW, newTurn } from '../contract/fixtures.ts';
import type { Store } from '../store.ts';
import { MIGRATIONS } from './migrations.ts';
import { openDatabase } from './open.ts';
import { createSqliteStore } from './sqlite-store.ts';

describe('the writer', () => {
  let folder: string;
  let store: Store;
  /** The real disk, with flushes that the test can delay or fail. */
  let disk: { before(): Promise<void>; flushes: number };
  const flush = (file: number) => {
    disk.flushes++;
    return disk.before().then(() => fdatasyncSync(file));
  };

  beforeEach(() => {
    disk = { before: async () => {}, flushes: 0 };
    folder = mkdtempSync(join(tmpdir(), 'holodeck-writer-'));
    store = createSqliteStore({ folder, busyTimeoutMs: 20, flush });
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  async function begin() {
    const turn = newTurn();
    const begun = await store.beginTurn(ANN, turn);
    if (begun.outcome !== 'begun') throw new Error(begun.outcome);
    return { ...turn, lease: begun.lease };
  }

  it('commits a group in the order of submission, each for itself', async () => {
    const turn = await begin();
    const write = (place: string) => store.writeTurn(ANN, turn.lease, { events: [eventOf(turn, place)] });
    const results = await Promise.allSettled([
      ...['1.2.0', '1.3.0', '1.2.0', '1.4.0'].map(write),
      store.writeTurn(ANN, turn.lease, endTurn(turn)),
      write('1.9.0'),
    ]);
    expect(results.map((result) => (result.status === 'rejected' ? result.reason.code : 'written'))).toEqual([
      'written',
      'written',
      'internal',
      'written',
      'written',
      'turn_taken_over',
    ]);
    const places = (await store.readEvents(ANN, turn.turnId)).map(({ id }) => id.slice(27));
    expect(places).toEqual(['1.1.0', '1.2.0', '1.3.0', '1.4.0', '1.8.0']);
  });

  it('acknowledges many writers, and what is acknowledged can be read at once', async () => {
    const seen = await Promise.all(
      Array.from({ length: 200 }, async () => (await store.readTurn(ANN, (await begin()).turnId))?.status),
    );
    expect(seen).toEqual(seen.map(() => 'running'));
  });

  it('fails with store_unavailable while another process holds the lock, and writes again after', async () => {
    const turn = await begin();
    const other = openDatabase({ path: join(folder, 'holodeck.db'), migrations: MIGRATIONS });
    other.exec('BEGIN IMMEDIATE');
    const blocked = store.writeTurn(ANN, turn.lease, { events: [eventOf(turn, '1.2.0')] });
    await expect(blocked).rejects.toMatchObject({ code: 'store_unavailable', cause: expect.any(Error) });
    other.exec('ROLLBACK');
    other.close();
    await store.writeTurn(ANN, turn.lease, { events: [eventOf(turn, '1.2.0')] });
    expect(await store.readEvents(ANN, turn.turnId)).toHaveLength(2);
  });

  it('waits for another process that releases the lock in time', async () => {
    const turn = await begin();
    const patient = createSqliteStore({ folder, busyTimeoutMs: 10_000 });
    const other = openDatabase({ path: join(folder, 'holodeck.db'), migrations: MIGRATIONS });
    other.exec('BEGIN IMMEDIATE');
    const written = patient.touchConversation(ANN, turn.conversationId, '2030-01-01T00:00:00.000Z');
    expect(await Promise.race([written.then(() => 'written'), delay(50, 'waiting')])).toBe('waiting');
    other.exec('COMMIT');
    other.close();
    await written;
    await patient.close();
  });

  it('keeps the event loop going while another process holds the lock', async () => {
    const turn = await begin();
    const other = openDatabase({ path: join(folder, 'holodeck.db'), migrations: MIGRATIONS });
    other.exec('BEGIN IMMEDIATE');
    const blocked = store.touchConversation(ANN, turn.conversationId, NOW).catch((error) => error.code);
    let rounds = 0;
    const counting = setInterval(() => rounds++, 1);
    expect(await blocked).toBe('store_unavailable');
    clearInterval(counting);
    other.close();
    expect(rounds).toBeGreaterThan(0);
  });

  it('acknowledges nothing, and makes nothing readable, before it is on the disk', async () => {
    const held = Promise.withResolvers<void>();
    const { turnId } = await begin();
    disk.before = () => held.promise;
    const turn = newTurn();
    const settled: string[] = [];
    const written = store.beginTurn(ANN, turn).then(() => settled.push('written'));
    await delay(20);
    const read = store.readTurn(ANN, turn.turnId).then((found) => settled.push(`read ${found?.status}`));
    const earlier = store.readTurn(ANN, turnId).then((found) => settled.push(`read ${found?.status}`));
    await delay(20);
    expect(settled).toEqual([]);
    held.resolve();
    await Promise.all([written, read, earlier]);
    expect(settled.sort()).toEqual(['read running', 'read running', 'written']);
  });

  it('encodes a write when it is next, so that waiting writes hold no second copy of their text', async () => {
    const held = Promise.withResolvers<void>();
    const turn = await begin();
    let encoded = 0;
    const watched = (place: string) => {
      const read = () => {
        encoded++;
        return 'some text';
      };
      return Object.defineProperty(eventOf(turn, place), 'text', { get: read, enumerable: true });
    };
    const flushing = Promise.withResolvers<void>();
    disk.before = () => {
      flushing.resolve();
      return held.promise;
    };
    const first = store.writeTurn(ANN, turn.lease, { events: [eventOf(turn, '1.2.0')] });
    await flushing.promise;
    const waiting = ['1.3.0', '1.4.0'].map((place) => store.writeTurn(ANN, turn.lease, { events: [watched(place)] }));
    const whileWaiting = encoded;
    held.resolve();
    await Promise.all([first, ...waiting]);
    expect({ whileWaiting, encoded }).toEqual({ whileWaiting: 0, encoded: 2 });
  });

  it('fails a write that cannot be encoded, and no other', async () => {
    const turn = await begin();
    const broken = Object.defineProperty(eventOf(turn, '1.2.0'), 'text', {
      get: () => {
        throw new Error('unreadable');
      },
      enumerable: true,
    });
    const results = await Promise.allSettled([
      store.writeTurn(ANN, turn.lease, { events: [broken] }),
      store.writeTurn(ANN, turn.lease, { events: [eventOf(turn, '1.3.0')] }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await store.readEvents(ANN, turn.turnId)).toHaveLength(2);
  });

  it('flushes writes submitted during a flush together', async () => {
    const turn = await begin();
    disk.before = () => delay(50);
    disk.flushes = 0;
    const write = (place: number) =>
      store.writeTurn(ANN, turn.lease, { events: [eventOf(turn, `1.${place}.0`)] }).then(() => place);
    const places = Array.from({ length: 20 }, (_, index) => index + 2);
    const written = places.map(async (place) => {
      await delay(place);
      return write(place);
    });
    expect(await Promise.all(written)).toEqual(places);
    expect(disk.flushes).toBeLessThan(15);
  });

  it('refuses writes and reads once the disk has lost data', async () => {
    const turn = await begin();
    disk.before = () => Promise.reject(new Error('EIO: i/o error'));
    const lost = { code: 'store_unavailable', message: expect.stringContaining('lost data') };
    const write = (place: string) => store.writeTurn(ANN, turn.lease, { events: [eventOf(turn, place)] });
    await expect(write('1.2.0')).rejects.toMatchObject(lost);
    disk.before = async () => {};
    await expect(write('1.3.0')).rejects.toMatchObject(lost);
    await expect(store.readTurn(ANN, turn.turnId)).rejects.toMatchObject(lost);
    expect(store.findProblem()).toMatchObject(lost);
  });
});
