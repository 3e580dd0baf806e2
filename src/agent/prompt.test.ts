import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALICE } from '../../test/build.ts';
import type { Message } from '../schema/conversation/message.ts';
import { buildMessages, keptMessages, systemPrompt } from './prompt.ts';
import { createZones } from './time-zone.ts';

const LIMITS = { context_tokens: 128_000 };
const base = { timestamp: '2026-01-01T00:00:00.000Z', metadata: {} };
const user = (content: string): Message => ({ ...base, id: `u-${content}`, role: 'user', content });
const assistant = (content: string, ...calls: string[]): Message => ({
  ...base,
  id: `a-${content}`,
  role: 'assistant',
  content,
  ...(calls.length > 0 && { tool_calls: calls.map((id) => ({ id, name: 'echo', arguments: {} })) }),
});
const tool = (id: string): Message => ({
  ...base,
  id: `t-${id}`,
  role: 'tool',
  tool_call_id: id,
  content: `result ${id}`,
});
const shown = (messages: Message[]) => messages.map((message) => `${message.role}: ${message.content}`);

describe('buildMessages', () => {
  it('puts results after their calls in call order', () => {
    const history = [user('a'), assistant('', 'x', 'y'), tool('y'), tool('x'), assistant('done')];
    expect(shown(buildMessages(history, [user('b')], LIMITS))).toEqual([
      'user: a',
      'assistant: ',
      'tool: result x',
      'tool: result y',
      'assistant: done',
      'user: b',
    ]);
  });

  it('adds the result and the answer that an interrupted turn lacks', () => {
    const sent = buildMessages([user('a'), assistant('', 'x')], [user('b')], LIMITS);
    expect(sent.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    expect(sent[2]?.content).toContain('not known');
  });

  it('marks messages without an answer, and calls without a following text', () => {
    const history = [user('a'), user('b'), assistant('Let me see.', 'x'), tool('x')];
    expect(shown(buildMessages(history, [user('c')], LIMITS))).toEqual([
      'user: a',
      'assistant: (This message was not answered.)',
      'user: b',
      'assistant: Let me see.',
      'tool: result x',
      'assistant: (These calls were followed by no words.)',
      'user: c',
    ]);
  });

  it('drops whole turns from the front until the budget of tokens is kept, and never the current turn', () => {
    const history = ['a', 'b', 'c'].flatMap((name) => [user(name.repeat(400)), assistant(name.repeat(400))]);
    const limits = { ...LIMITS, context_tokens: 500 };
    const sent = buildMessages(history, [user('x'.repeat(800))], limits);
    expect(sent.map((message) => message.content[0])).toEqual(['c', 'c', 'x']);
    expect(buildMessages(history, [user('x'.repeat(9000))], limits).map((message) => message.content[0])).toEqual([
      'x',
    ]);
  });

  it('is always valid, whatever is stored', () => {
    const id = fc.constantFrom('x', 'y', 'z');
    const calls = fc.uniqueArray(id, { maxLength: 2 });
    const message = fc.oneof(
      fc.constant('hi').map(user),
      fc.tuple(fc.constantFrom('', 'text'), calls).map(([text, ids]) => assistant(text, ...ids)),
      id.map(tool),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (history) => {
        expect(faultOf(buildMessages(history, [user('now')], LIMITS))).toBeUndefined();
      }),
    );
  });
});

/** The rules shared by every provider's checker. */
function faultOf(messages: Message[]): string | undefined {
  if (messages[0]?.role !== 'user') return 'does not begin with a user message';
  if (messages.at(-1)?.role !== 'user') return 'does not end with the user';
  let open: string[] = [];
  let previous: Message | undefined;
  for (const message of messages) {
    if (message.role === 'tool') {
      if (open.shift() !== message.tool_call_id) return 'a result without its call, or out of order';
    } else if (open.length > 0) return 'a call without its result';
    if (message.role === 'user' && previous && previous.role !== 'assistant') return 'two user messages in a row';
    if (message.role === 'assistant' && previous?.role === 'assistant') return 'two replies in a row';
    if (message.role === 'assistant') open = message.tool_calls?.map((call) => call.id) ?? [];
    previous = message;
  }
  return undefined;
}

describe('keptMessages', () => {
  it('keeps the start where it is for several turns, then moves it by a step', () => {
    const starts = Array.from({ length: 20 }, (_, index) => 10 + index).map((total) => total - keptMessages(total, 12));
    expect(starts).toEqual([0, 0, 0, 3, 3, 3, 6, 6, 6, 9, 9, 9, 12, 12, 12, 15, 15, 15, 18, 18]);
  });

  it('never keeps more than the limit', () => {
    fc.assert(
      fc.property(
        fc.nat(5000),
        fc.integer({ min: 1, max: 200 }),
        (total, limit) => keptMessages(total, limit) <= limit,
      ),
    );
  });
});

describe('systemPrompt', () => {
  it('ends with what changes from turn to turn', () => {
    const now = new Date('2026-11-15T09:30:00Z');
    expect(systemPrompt({ instructions: 'Help.\n', user: ALICE, now, zone: createZones()('Europe/Berlin') })).toBe(
      'Help.\n\nCurrent time: Sunday, 15 November 2026 at 10:30 (Europe/Berlin)\nThe user\'s name: "Alice"',
    );
  });
});
