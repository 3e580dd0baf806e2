import { describe, expect, it } from 'vitest';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { pick } from '../long.ts';
import { databaseOfFile } from '../postgres/database.ts';
import { openRuntime, temporaryFolder } from '../runtime.ts';
import { checkHistories, countingTool, type Effects, LIMITS, slowReplies } from './linear.ts';
import { findOrder, MODEL, type Step } from './linear-order.ts';

const database = databaseOfFile();
const HISTORIES = pick(12, 100);

describe.each(['SQLite', 'PostgreSQL'])('clients of two runtimes on one store, on %s', (kind) => {
  it('see each conversation as if one thing happened after the other', async () => {
    const folder = temporaryFolder();
    const effects: Effects = new Map();
    const runtimes = [];
    for (let count = 0; count < 2; count++) {
      const shared = kind === 'PostgreSQL' && { store: await createPostgresStore({ url: database.url }) };
      const { runtime } = await openRuntime({
        replies: slowReplies,
        agent: LIMITS,
        folder,
        sources: [countingTool(effects)],
        ...shared,
      });
      runtimes.push(runtime);
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

  it('finds none for two turns at once, a lost message, or a turn after the deletion', () => {
    const [one, two] = [step('one', [1, 2], MODEL.begin(1)), step('two', [3, 4], MODEL.begin(2))];
    const end = { ...step('end', [1, 9], MODEL.end(1, 'completed')), after: one };
    expect(findOrder([one, two])).toBeUndefined();
    expect(findOrder([one, end, step('read', [10, 11], MODEL.taken([]))])).toBeUndefined();
    expect(findOrder([step('delete', [1, 2], MODEL.remove), two])).toBeUndefined();
    const waits = { ...step('wait', [1, 4], MODEL.wait(1)), after: one };
    expect(
      findOrder([one, waits, step('answer', [5, 6], MODEL.answer(1)), step('again', [7, 8], MODEL.answer(1))]),
    ).toBeUndefined();
    expect(findOrder([one, step('cancelled', [1, 9], MODEL.end(1, 'cancelled'))])).toBeUndefined();
  });
});
