import { describe, expect, it } from 'vitest';
import { collectChunks, makeRequest, NEVER_ABORTED } from '../../test/fakes/model-request.ts';
import { createLazyModel } from './lazy-model.ts';
import { createScriptedModel } from './scripted.ts';

describe('createLazyModel', () => {
  it('loads with the first request, once', async () => {
    let loads = 0;
    const model = createLazyModel('lazy', async () => {
      loads++;
      return createScriptedModel(() => 'Hi');
    });
    expect({ label: model.label, loads }).toEqual({ label: 'lazy', loads: 0 });
    const ask = () => collectChunks(model.stream(makeRequest(), { signal: NEVER_ABORTED }));
    expect(await Promise.all([ask(), ask()])).toEqual([
      [
        { type: 'text', text: 'Hi' },
        { type: 'finish', reason: 'stop' },
      ],
      [
        { type: 'text', text: 'Hi' },
        { type: 'finish', reason: 'stop' },
      ],
    ]);
    expect(loads).toBe(1);
  });
});
