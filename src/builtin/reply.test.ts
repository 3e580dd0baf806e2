import { describe, expect, it } from 'vitest';
import { createZone } from '../language/zoned-time.ts';
import { describeDue, fillTemplate, quoteAll } from './reply.ts';

const ZONE = createZone({ now: new Date('2026-11-15T21:00:00Z'), timezone: 'Europe/Berlin' });

describe('fillTemplate', () => {
  it('leaves a part out when its value is missing', () => {
    expect(fillTemplate("Added '{title}'[, due {due_date}].", { title: 'milk' })).toBe("Added 'milk'.");
    expect(fillTemplate("Added '{title}'[, due {due_date}].", { title: 'milk', due_date: 'today' })).toBe(
      "Added 'milk', due today.",
    );
  });

  it('never fills placeholders inside a value', () => {
    expect(fillTemplate('{title}', { title: '{user_id} [x]', user_id: 'secret' })).toBe('{user_id} [x]');
  });
});

describe('describeDue', () => {
  it.each([
    ['2026-11-15', 'today'],
    ['2026-11-16', 'tomorrow'],
    ['2026-11-14', 'yesterday'],
    ['2026-11-20', 'Fri 20 Nov'],
    ['2027-01-02', 'Sat 2 Jan 2027'],
    ['2026-11-16T15:00:00+01:00', 'tomorrow at 15:00'],
  ])('%s is %s', (due, text) => {
    expect(describeDue(due, ZONE)).toBe(text);
  });
});

describe('quoteAll', () => {
  it('puts the link before the last', () => {
    expect([quoteAll(['a'], 'or'), quoteAll(['a', 'b'], 'or'), quoteAll(['a', 'b', 'c'], 'and')]).toEqual([
      "'a'",
      "'a' or 'b'",
      "'a', 'b' and 'c'",
    ]);
  });
});
