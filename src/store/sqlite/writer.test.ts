import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newUlid } from '../../schema/new-ulid.ts';
import { ANN, endTurn, eventOf, NOW, newTurn } from '../contract/fixtures.ts';
import type { Store } from '../store.ts';
import { MIGRATIONS } from './migrations.ts';
import { openDatabase } from './open.ts';
import { createSqliteStore } from './sqlite-store.ts';
import { createWriter } from './writer.ts';

describe('the writer', () => {
  let folder: string;
  let store: Store;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'holodeck-writer-'));
    store = createSqliteStore({ folder, busyTimeoutMs: 20 });
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

  it('says store_unavailable while another process holds the lock, and writes again after', async () => {
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

  it('waits for another process that lets go in time', async () => {
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

  it('is started anew after its thread died', async () => {
    const path = join(folder, 'other', 'holodeck.db');
    mkdirSync(path, { recursive: true });
    const writer = createWriter({ path, runner: { folder, runnerId: newUlid() }, busyTimeoutMs: 20 });
    const recover = () => writer.submit('recover', { at: NOW });
    await expect(recover()).rejects.toMatchObject({ code: 'store_unavailable' });
    rmSync(path, { recursive: true });
    expect(await recover()).toBe(0);
    await writer.close();
  });
});
