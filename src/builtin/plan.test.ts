import { describe, expect, it } from 'vitest';
import { type Plan, playPlan } from './plan.ts';

function* twoSteps(): Plan {
  const [listed] = yield [{ name: 'list', arguments: {} }];
  const count = listed && 'result' in listed ? Number(listed.result) : 0;
  yield [{ name: 'delete', arguments: { count } }];
  return { text: `deleted ${count}`, intents: [] };
}

const record = (name: string, result: number) => ({ name, arguments: {}, outcome: { result } });

describe('playPlan', () => {
  it('asks for the first calls', () => {
    expect(playPlan(twoSteps(), [])).toEqual({ type: 'calls', calls: [{ name: 'list', arguments: {} }], index: 0 });
  });

  it('continues with the outcomes', () => {
    expect(playPlan(twoSteps(), [record('list', 3)])).toEqual({
      type: 'calls',
      calls: [{ name: 'delete', arguments: { count: 3 } }],
      index: 1,
    });
  });

  it('ends with the reply', () => {
    expect(playPlan(twoSteps(), [record('list', 3), record('delete', 0)])).toEqual({
      type: 'reply',
      reply: { text: 'deleted 3', intents: [] },
    });
  });

  it('recognizes calls that another model made', () => {
    expect(playPlan(twoSteps(), [record('search', 3)])).toEqual({ type: 'foreign' });
    expect(playPlan(twoSteps(), [record('list', 3), record('delete', 0), record('delete', 0)])).toEqual({
      type: 'foreign',
    });
  });
});
