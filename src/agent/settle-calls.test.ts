import { describe, expect, it } from 'vitest';
import { ALICE, buildAgent, buildTool } from '../../test/build.ts';
import { createFakeClock } from '../clock.ts';
import { systemIds } from '../ids.ts';
import { createScriptedModel } from '../models/scripted.ts';
import { newUlid } from '../schema/new-ulid.ts';
import { offerTools } from '../tools/offer.ts';
import { createValidator, type Validator } from '../tools/validate.ts';
import { runTurn } from './loop.ts';
import { createMemoryJournal } from './memory-journal.ts';
import { createZones } from './time-zone.ts';
import { foldEvents } from './turn-state.ts';

function countChecks(): Validator & { readonly count: number } {
  const validator = createValidator();
  let count = 0;
  return {
    check(schema, value) {
      count++;
      return validator.check(schema, value);
    },
    get count() {
      return count;
    },
  };
}

describe('settleCalls', () => {
  it('prepares each call once: its own arguments and the sent ones are checked one time', async () => {
    const clock = createFakeClock();
    const turnId = newUlid();
    const timestamp = clock.date().toISOString();
    const message = { id: newUlid(), role: 'user' as const, content: 'go', timestamp, metadata: {} };
    const start = { type: 'turn-start' as const, turn_id: turnId, conversation_id: newUlid(), agent: 'a', message };
    const counted = countChecks();
    const ran: unknown[] = [];
    const calls = ['one', 'two', 'three'].map((text) => ({ name: 'echo', arguments: { text } }));
    const turn = runTurn(foldEvents([start]), {
      agent: buildAgent(),
      user: ALICE,
      model: createScriptedModel([{ calls }, 'Done.'], { clock }),
      tools: offerTools([buildTool({ run: (args) => ran.push(args) })]).offered,
      history: [],
      journal: createMemoryJournal({ turnId, clock }),
      validator: async () => counted,
      clock,
      ids: systemIds,
      zone: createZones()('UTC'),
      signal: new AbortController().signal,
    });
    for await (const _event of turn);
    expect([ran, counted.count]).toEqual([calls.map((call) => call.arguments), 2 * calls.length]);
  });
});
