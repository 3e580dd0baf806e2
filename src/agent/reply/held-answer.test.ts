import { describe, expect, it } from 'vitest';
import { ALICE, buildAgent, buildTool } from '../../../test/build.ts';
import { systemClock } from '../../clock.ts';
import { systemIds } from '../../ids.ts';
import { createScriptedModel, type ScriptedReply } from '../../models/scripted.ts';
import type { Event, EventBody } from '../../schema/conversation/event.ts';
import { TurnResult } from '../../schema/conversation/turn.ts';
import { offerTools } from '../../tools/offer.ts';
import { createValidator } from '../../tools/validate.ts';
import { runTurn } from '../loop.ts';
import { createMemoryJournal } from '../memory-journal.ts';
import type { TurnPlugin, Verdict } from '../plugin.ts';
import { runStateless } from '../run-stateless.ts';
import { createZones } from '../time-zone.ts';
import { foldEvents } from '../turn-state.ts';

const REFUSAL = 'I could not find this.';
const replace: Verdict = { replace: REFUSAL, reason: 'nothing was found' };
const holder = (onAnswer: TurnPlugin['onAnswer']): TurnPlugin => ({
  before: async () => ({ events: [], holds: true }),
  ...(onAnswer && { onAnswer }),
});

async function play(plugins: TurnPlugin[], replies: ScriptedReply[], agent: Record<string, unknown> = {}) {
  const model = createScriptedModel(replies);
  const turn = runStateless({
    agent: buildAgent(agent),
    user: ALICE,
    message: 'How high is it?',
    model,
    tools: offerTools([buildTool()]).offered,
    plugins,
  });
  const events: Event[] = [];
  for (;;) {
    const next = await turn.next();
    if (next.done) return { events, result: TurnResult.parse(next.value), model };
    events.push(next.value);
  }
}

const textOf = (events: readonly EventBody[]) =>
  events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []));

describe('a held answer', () => {
  it('is sent whole once a plugin keeps it, after one notice', async () => {
    const seen: string[] = [];
    const keep = holder(async (_turn, text) => {
      seen.push(text);
      return 'keep';
    });
    const { events, result } = await play([keep], [{ text: ['It is ', '8 m.'] }]);
    expect(seen).toEqual(['It is 8 m.']);
    expect(textOf(events)).toEqual(['It is 8 m.']);
    expect(events.filter(({ type }) => type === 'notice')).toHaveLength(1);
    expect(result).toMatchObject({ content: 'It is 8 m.', iterations: 1 });
    expect(result).not.toHaveProperty('warning');
  });

  it('that is replaced stays in the journal alone', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const { events, result } = await play([holder(async () => replace)], [{ text: 'It is 8 m.', usage }]);
    expect(textOf(events)).toEqual([REFUSAL]);
    const end = events.find((event) => event.type === 'step-end');
    expect(end).toMatchObject({
      message: { content: REFUSAL, metadata: {} },
      rejected: { text: 'It is 8 m.', problems: ['nothing was found'], replaced: true },
    });
    expect(result).toMatchObject({ content: REFUSAL, status: 'completed', iterations: 1, tokens_used: usage });
    expect(JSON.stringify(result)).not.toContain('8 m');
  });

  it('is asked about once, after the calls, and words beside calls are not sent', async () => {
    const calls = [{ name: 'echo', arguments: { text: 'a' } }];
    const replies = [{ text: 'It is 8 m, I think.', calls }, 'It is 9 m.'];
    const { events, result, model } = await play([holder(async () => replace)], replies);
    expect(textOf(events)).toEqual([REFUSAL]);
    expect(events.filter(({ type }) => type === 'notice')).toHaveLength(1);
    expect(JSON.stringify(result)).not.toMatch(/[89] m/);
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain('8 m');
  });

  it('is sent with a warning and low confidence if the plugin throws', async () => {
    const broken = holder(async () => {
      throw new Error('broken');
    });
    const { events, result } = await play([broken], ['It is 8 m.']);
    expect(textOf(events)).toEqual(['It is 8 m.']);
    expect(result).toMatchObject({ confidence: 'low', warning: expect.stringContaining('could not be checked') });
  });

  it('is held only while the condition of the plugin says so, asked before every reply', async () => {
    const until: TurnPlugin = {
      before: async () => ({ events: [], holds: ({ state }) => state.calls.length === 0 }),
      onAnswer: async () => replace,
    };
    const calls = [{ name: 'echo', arguments: { text: 'a' } }];
    const { events } = await play([until], [{ text: 'Wait.', calls }, { text: ['It is ', '8 m.'] }]);
    expect(textOf(events)).toEqual(['It is ', '8 m.']);
  });

  it('is replaced at the limit of steps too, and never in place of a required format', async () => {
    const calls = [{ name: 'echo', arguments: { text: 'a' } }];
    const limited = { loop: { max_iterations: 1 } };
    const { result } = await play([holder(async () => replace)], [{ calls }, 'It is 8 m.'], limited);
    expect(result).toMatchObject({ status: 'max_iterations_reached', content: REFUSAL });
    const format = { response_format: { type: 'object' } };
    const formatted = await play([holder(async () => replace)], ['{"height":8}'], format);
    expect(formatted.result.content).toBe('{"height":8}');
  });

  it('is requested again if the process died before the replacement was written', async () => {
    const hang = holder(() => new Promise(() => {}));
    const { stored, run } = createStoredTurn();
    const first = run([hang], ['It is 8 m.']);
    let event = await first.next();
    while (!event.done && event.value.type !== 'notice') event = await first.next();
    first.next().catch(() => {});
    await new Promise((resolve) => setImmediate(resolve));
    stored.push({ type: 'turn-resume', reason: 'retry' });
    const second = run([holder(async () => replace)], ['It is 9 m.']);
    let next = await second.next();
    while (!next.done) next = await second.next();
    expect(next.value).toMatchObject({ status: 'completed', content: REFUSAL });
    expect(next.value.messages.map(({ content }) => content)).toEqual(['How high?', REFUSAL]);
    expect(foldEvents(stored).messages.map(({ content }) => content)).toEqual(['How high?', REFUSAL]);
  });
});

/** A turn over a journal that keeps what a process wrote before it died. */
function createStoredTurn() {
  const at = systemClock.date().toISOString();
  const message = { id: systemIds.ulid(), role: 'user' as const, content: 'How high?', timestamp: at, metadata: {} };
  const ids = { turn_id: systemIds.ulid(), conversation_id: systemIds.ulid() };
  const stored: EventBody[] = [{ type: 'turn-start', ...ids, agent: 'helper', message }];
  const run = (plugins: TurnPlugin[], replies: ScriptedReply[]) => {
    const memory = createMemoryJournal({ turnId: ids.turn_id, clock: systemClock });
    const journal = {
      commit: (...bodies: EventBody[]) => {
        stored.push(...bodies);
        return memory.commit(...bodies);
      },
      note: memory.note,
    };
    return runTurn(foldEvents(stored), {
      agent: buildAgent(),
      user: ALICE,
      model: createScriptedModel(replies),
      tools: new Map(),
      history: [],
      journal,
      validator: async () => createValidator(),
      clock: systemClock,
      ids: systemIds,
      zone: createZones()('UTC'),
      plugins,
      signal: new AbortController().signal,
    });
  };
  return { stored, run };
}
