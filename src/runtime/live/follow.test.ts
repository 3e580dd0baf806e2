import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../schema/conversation/event.ts';
import { newUlid } from '../../schema/new-ulid.ts';
import { formatPosition, parsePosition } from '../../schema/position.ts';
import { eventsUpTo } from './follow.ts';
import { eventsAfter } from './viewer.ts';

const TURN = newUlid();
const MESSAGE = newUlid();

/** A reply of texts with the given lengths, with a notice of the journal between them. */
function reply(lengths: readonly number[]): Event[] {
  let offset = 0;
  return lengths.map((length, index): Event => {
    const seq = 1 + Math.floor(index / 2);
    offset += length;
    const place = { id: formatPosition({ turn: TURN, attempt: 1, seq, offset }), at: '2026-01-01T00:00:00Z' };
    return { ...place, type: 'text-delta', message_id: MESSAGE, text: 'abcdefghij'.slice(0, length) };
  });
}

const textOf = (events: readonly Event[]) =>
  events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');

describe('eventsUpTo', () => {
  it('is, with eventsAfter, the whole text at every position', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 8 }),
        fc.nat(),
        (lengths, cut) => {
          const events = reply(lengths);
          const at = events[cut % events.length];
          const position = parsePosition(String(at?.id));
          const before = textOf(eventsUpTo(events, position));
          expect(before + textOf(eventsAfter(events, position))).toBe(textOf(events));
          expect(before.length).toBe(position.offset);
        },
      ),
    );
  });

  it('cuts a text that the reader has in part', () => {
    const events = reply([5]);
    const position = { ...parsePosition(String(events[0]?.id)), offset: 2 };
    expect([textOf(eventsUpTo(events, position)), textOf(eventsAfter(events, position))]).toEqual(['ab', 'cde']);
  });
});
