import { describe, expect, it } from 'vitest';
import { ALICE, buildAgent, buildTool } from '../../test/build.ts';
import { createScriptedModel } from '../models/scripted.ts';
import type { Event } from '../schema/conversation/event.ts';
import { type AnswerCheck, TurnResult } from '../schema/conversation/turn.ts';
import type { RoutingDecision } from '../schema/domain.ts';
import { offerTools } from '../tools/offer.ts';
import type { Finished, TurnPlugin } from './plugin.ts';
import { runStateless } from './run-stateless.ts';

const decision: RoutingDecision = {
  user_query: 'How much?',
  identified_domains: ['stock'],
  reasoning: "'much' matches stock.",
  confidence: 0.9,
  ambiguity_detected: false,
  clarification_needed: false,
  out_of_scope: false,
};
const echo = offerTools([buildTool({ domain: 'stock' })]).offered;

async function play(plugins: TurnPlugin[], replies = [{ calls: [{ name: 'echo' }] }, 'It is 5.']) {
  const model = createScriptedModel(replies);
  const turn = runStateless({ agent: buildAgent(), user: ALICE, message: 'How much?', model, tools: echo, plugins });
  const events: Event[] = [];
  for (;;) {
    const next = await turn.next();
    if (next.done) return { events, result: TurnResult.parse(next.value), model };
    events.push(next.value);
  }
}

describe('plugins of a turn', () => {
  it('emit events before the first reply, and the model reads the decision', async () => {
    const { events, result, model } = await play([
      { before: async () => ({ events: [{ type: 'routing', decision }] }) },
    ]);
    expect(events.slice(0, 3).map(({ type }) => type)).toEqual(['turn-start', 'routing', 'step-start']);
    expect(model.requests.map(({ routing }) => routing)).toEqual([decision, decision]);
    expect(result.routing).toEqual(decision);
    expect(result.tool_calls[0]?.domain).toBe('stock');
  });

  it('narrow what the model is offered', async () => {
    const { model } = await play([{ before: async () => ({ events: [], tools: new Map() }) }], ['It is 5.']);
    expect(model.requests[0]?.tools).toEqual([]);
  });

  it('emit events about calls before they run', async () => {
    const onCalls: TurnPlugin['onCalls'] = ({ state }) => (state.routing ? [] : [{ type: 'routing', decision }]);
    const { events } = await play([{ onCalls }]);
    const kinds = events.map(({ type }) => type);
    expect(kinds.slice(kinds.indexOf('tool-call-start'), kinds.indexOf('tool-call-run') + 1)).toEqual([
      'tool-call-start',
      'routing',
      'tool-call-run',
    ]);
  });

  it.each([
    [undefined, [null, null]],
    ['medium', [null, null]],
    ['high', [{ answer: 'It is 5.', confidence: 'high' }, { text: 'It is 5.' }]],
  ])('read no words of a member as a result, unless its confidence is high: %s', async (confidence, seen) => {
    const delegation = { agent: 'checker', turn_id: 't', status: 'completed' };
    const result = { answer: 'It is 5.', ...(confidence && { confidence }) };
    const member = buildTool({ name: 'delegate_to_checker', outcome: { result, about: { delegation } } });
    const rest = buildTool({ name: 'read_output', outcome: { result: { text: 'It is 5.' } } });
    const read: unknown[] = [];
    const after: TurnPlugin['after'] = async ({ state }) => {
      read.push(...state.calls.map((call) => call.result));
      return { events: [], additions: { confidence: 'high' } };
    };
    const model = createScriptedModel(({ messages }) => {
      const [first, second] = messages.flatMap((one) => (one.role === 'tool' ? [one.tool_call_id] : []));
      if (first === undefined) return { calls: [{ name: 'delegate_to_checker' }] };
      return second ? 'It is 5.' : { calls: [{ name: 'read_output', arguments: { call_id: first } }] };
    });
    const tools = offerTools([member, rest]).offered;
    const turn = runStateless({ agent: buildAgent(), user: ALICE, message: 'Hm?', model, tools, plugins: [{ after }] });
    let next = await turn.next();
    while (!next.done) next = await turn.next();
    expect(next.value.confidence).toBe(confidence ?? 'high');
    expect(read).toEqual(seen);
  });

  it('add to the result, with their events between the text and the end', async () => {
    const checks = [{ text: '5', start: 6, end: 7, found: false }];
    const { events, result } = await play([
      {
        after: async ({ text }) => ({
          events: [{ type: 'annotation', checks }],
          additions: { sources: [text], confidence: 'medium', partial_results: true },
        }),
      },
    ]);
    expect(events.slice(-3).map(({ type }) => type)).toEqual(['step-end', 'annotation', 'turn-end']);
    expect(result).toMatchObject({ sources: ['It is 5.'], confidence: 'medium', checks, partial_results: true });
  });

  it('cost the turn nothing when they throw', async () => {
    const fail = () => {
      throw new Error('broken');
    };
    const { result } = await play([{ before: fail, onCalls: fail, after: fail }]);
    expect(result).toMatchObject({ status: 'completed', content: 'It is 5.', sources: [] });
  });

  it('add nothing to a turn that failed', async () => {
    const after = async () => ({ events: [], additions: { suggestions: ['more'] } });
    const { result } = await play([{ after }], []);
    expect(result).toMatchObject({ status: 'error', suggestions: [] });
  });
});

describe('several plugins of a turn', () => {
  const adding = (additions: Finished['additions'], checks: AnswerCheck[] = []): TurnPlugin => ({
    after: async () => ({ events: checks.length > 0 ? [{ type: 'annotation', checks }] : [], additions }),
  });

  it('join sources, details and the first three suggestions, and the lowest confidence counts', async () => {
    const { result } = await play([
      adding({ sources: ['a.x', 'b.y'], suggestions: ['1', '2'], confidence: 'low', partial_results: true }),
      adding({ sources: ['b.y', 'c.z'], suggestions: ['2', '3', '4'], confidence: 'high', partial_results: false }),
      adding({ error_details: [{ reason: 'one' }] }),
      adding({ error_details: [{ reason: 'two' }] }),
    ]);
    expect(result).toMatchObject({
      sources: ['a.x', 'b.y', 'c.z'],
      suggestions: ['1', '2', '3'],
      confidence: 'low',
      partial_results: true,
      error_details: [{ reason: 'one' }, { reason: 'two' }],
    });
  });

  it('see the checks of the plugins before them, and all checks are in the result', async () => {
    const cited: AnswerCheck = { kind: 'citation', text: 'It is 5.', start: 0, end: 8, found: true, citations: ['p1'] };
    let seen: readonly AnswerCheck[] = [];
    const later: TurnPlugin = {
      after: async ({ state }) => {
        seen = [...state.checks];
        return { events: [], additions: {} };
      },
    };
    const { result } = await play([adding({}, [cited]), later]);
    expect(seen).toEqual([cited]);
    expect(result.checks).toEqual([cited]);
  });
});
