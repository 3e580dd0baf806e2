import { describe, expect, it } from 'vitest';
import { ALICE, buildAgent, buildTool } from '../../test/build.ts';
import { createFakeClock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Model } from '../models/model.ts';
import { createScriptedModel, type ScriptedReply } from '../models/scripted.ts';
import { newUlid } from '../schema/new-ulid.ts';
import { offerTools } from '../tools/offer.ts';
import { createValidator } from '../tools/validate.ts';
import type { Journal } from './journal.ts';
import { runTurn } from './loop.ts';
import { createMemoryJournal } from './memory-journal.ts';
import { createZones } from './time-zone.ts';
import { foldEvents } from './turn-state.ts';

const CALL: ScriptedReply = { calls: [{ name: 'echo', arguments: { text: 'a' } }] };

/** A turn whose outcomes are on the disk only when `written` says so. */
function open(model: Model, written: Promise<void>) {
  const turnId = newUlid();
  const clock = createFakeClock();
  const numbers = createMemoryJournal({ turnId, clock });
  const journal: Journal = {
    note: numbers.note,
    async commit(...bodies) {
      if (bodies.some(({ type }) => type === 'tool-call-end')) await written;
      return numbers.commit(...bodies);
    },
  };
  const timestamp = clock.date().toISOString();
  const message = { id: newUlid(), role: 'user' as const, content: 'go', timestamp, metadata: {} };
  const start = { type: 'turn-start' as const, turn_id: turnId, conversation_id: newUlid(), agent: 'helper', message };
  const events = runTurn(foldEvents([start]), {
    agent: buildAgent(),
    user: ALICE,
    model,
    tools: offerTools([buildTool()]).offered,
    history: [],
    journal,
    validator: async () => createValidator(),
    clock,
    zone: createZones()('UTC'),
    signal: new AbortController().signal,
  });
  const told: string[] = [];
  const done = (async () => {
    for await (const { type } of events) told.push(type);
  })();
  return { told, done };
}

describe('a model that is asked while the last outcome is on its way to the disk', () => {
  it('has its answer told after that outcome', async () => {
    const written = Promise.withResolvers<void>();
    const model = createScriptedModel([CALL, 'Done.']);
    const { told, done } = open(model, written.promise);
    await expect.poll(() => model.requests.length).toBe(2);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: '{"text":"a"}' });
    expect(told).not.toContain('tool-call-end');
    written.resolve();
    await done;
    expect(told.slice(told.indexOf('tool-call-run'))).toEqual([
      'tool-call-run',
      'tool-call-end',
      'step-start',
      'text-delta',
      'step-end',
      'turn-end',
    ]);
  });

  it('is given up when that outcome cannot be written', async () => {
    const written = Promise.withResolvers<void>();
    const scripted = createScriptedModel([CALL, { text: 'Too early', hang: true }]);
    const signals: AbortSignal[] = [];
    const model: Model = {
      label: 'scripted',
      stream(request, options) {
        signals.push(options.signal);
        return scripted.stream(request, options);
      },
    };
    const { told, done } = open(model, written.promise);
    await expect.poll(() => signals.length).toBe(2);
    written.reject(new AppError('store_unavailable', { detail: 'The disk is full.' }));
    await expect(done).rejects.toThrow('The disk is full.');
    expect(signals.map((signal) => signal.aborted)).toEqual([false, true]);
    expect(told).not.toContain('text-delta');
  });
});
