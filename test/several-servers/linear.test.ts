import { describe, expect, it, onTestFinished } from 'vitest';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { pick } from '../long.ts';
import { databaseOfFile } from '../postgres/database.ts';
import { temporaryFolder } from '../runtime.ts';
import { checkHistories, type Effects, openServer } from './linear.ts';
import { findOrder, MODEL, type Step } from './linear-order.ts';

const database = databaseOfFile();
const HISTORIES = pick(12, 100);

describe.each(['SQLite', 'PostgreSQL'])('clients of two runtimes on one store, on %s', (kind) => {
  it('see each conversation as if one thing happened after the other', async () => {
    const folder = temporaryFolder();
    const effects: Effects = new Map();
    const runtimes: Runtime[] = [];
    onTestFinished(async () => void (await Promise.all(runtimes.map((runtime) => runtime.stop()))));
    for (let count = 0; count < 2; count++) {
      const store = kind === 'PostgreSQL' ? await createPostgresStore({ url: database.url }) : undefined;
      runtimes.push(await openServer(effects, { folder, store }));
    }
    await checkHistories(runtimes, { effects, histories: HISTORIES });
  }, 120_000);
});

describe('the search for an order', () => {
  const step = (name: string, [from, until]: [number, number], apply: Step['apply']) => ({ name, from, until, apply });

  it('finds one where operations overlap', () => {
    const begun = step('begin', [1, 4], MODEL.begin(1));
    const end = { ...step('end', [1, 9], MODEL.end(1, 'completed')), after: begun };
    expect(findOrder([step('busy', [2, 3], MODEL.busy), end, begun])).toEqual(['begin', 'busy', 'end']);
  });

  it('finds none for two turns at once, a lost message, a wrong agent, or a turn after the deletion', () => {
    const [one, two] = [step('one', [1, 2], MODEL.begin(1)), step('two', [3, 4], MODEL.begin(2))];
    const end = { ...step('end', [1, 9], MODEL.end(1, 'completed')), after: one };
    expect(findOrder([one, two])).toBeUndefined();
    expect(findOrder([one, end, step('read', [10, 11], MODEL.taken([]))])).toBeUndefined();
    expect(findOrder([step('delete', [1, 2], MODEL.remove), two])).toBeUndefined();
    const waits = { ...step('wait', [1, 4], MODEL.wait(1)), after: one };
    expect(
      findOrder([one, waits, step('answer', [5, 6], MODEL.answer(1)), step('again', [7, 8], MODEL.answer(1))]),
    ).toBeUndefined();
    const stays = { ...step('end', [1, 9], MODEL.end(1, 'completed', { agent: 'desk' })), after: one };
    expect(findOrder([one, stays])).toBeUndefined();
    expect(findOrder([one, step('cancelled', [1, 9], MODEL.end(1, 'cancelled'))])).toBeUndefined();
  });
});
