import { describe, expect, it } from 'vitest';
import { extractWhen } from './when.ts';
import { createZone } from './zoned-time.ts';

/** A Sunday evening in Berlin, already Monday in Auckland. */
const NOW = new Date('2026-11-15T21:00:00Z');
const found = (text: string, timezone = 'Europe/Berlin') => {
  const when = extractWhen(text, createZone({ now: NOW, timezone }));
  return when && [when.text, when.rest, when.due];
};

describe('extractWhen', () => {
  it.each([
    ['call the dentist tomorrow', ['tomorrow', 'call the dentist', '2026-11-16']],
    ['finish the report by Friday', ['Friday', 'finish the report', '2026-11-20']],
    ['call mom at 3pm tomorrow', ['3pm tomorrow', 'call mom', '2026-11-16T15:00:00+01:00']],
    ['tomorrow call the bank', ['tomorrow', 'call the bank', '2026-11-16']],
    ['pay rent in 3 days', ['in 3 days', 'pay rent', '2026-11-18']],
    ['clean the garage this week', ['this week', 'clean the garage', '2026-11-15']],
    ['plan the trip next week', ['next week', 'plan the trip', '2026-11-16']],
    ['water the plants this weekend', ['this weekend', 'water the plants', '2026-11-15']],
    ['call the dentist tomorrow about the tooth', ['tomorrow', 'call the dentist about the tooth', '2026-11-16']],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    "prepare tomorrow's meeting",
    'write the march essay',
    'buy sun cream',
    'read chapter 3',
    "'call mom tonight'",
    'get sat exam book',
    'may contain nuts',
  ])('leaves %s alone', (text) => {
    expect(found(text)).toBeUndefined();
  });

  it("counts days in the user's zone", () => {
    expect(found('pay rent tomorrow', 'Pacific/Auckland')).toEqual(['tomorrow', 'pay rent', '2026-11-17']);
  });
});
