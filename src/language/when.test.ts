import { describe, expect, it } from 'vitest';
import { extractWhen, mergeDue } from './when.ts';
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

describe('dates by language', () => {
  /** A Monday morning. */
  const zone = createZone({ now: new Date('2026-11-16T09:00:00Z'), timezone: 'UTC' });

  it.each([
    ['pay by the end of the month', 'pay', '2026-11-30'],
    ['pay by the end of the year', 'pay', '2026-12-31'],
    ['renew before the end of January', 'renew', '2027-01-31'],
    ['renew before January', 'renew', '2026-12-31'],
    ['gym tues 4pm', 'gym', '2026-11-17T16:00:00Z'],
    ['lunch on the 17th 12:30', 'lunch', '2026-11-17T12:30:00Z'],
    ['prep Thursday 3 December at 14:00', 'prep', '2026-12-03T14:00:00Z'],
    ['inspect Monday November 23, 9:00 AM', 'inspect', '2026-11-23T09:00:00Z'],
    ['collect at five thirty tomorrow', 'collect', '2026-11-17T17:30:00Z'],
    ['report a week tomorrow', 'report', '2026-11-24'],
    ['pay rent on the 1st', 'pay rent', '2026-12-01'],
    ['pay rent 1st', 'pay rent', '2026-12-01'],
    ['book next Friday', 'book', '2026-11-27'],
    ['book this Friday', 'book', '2026-11-20'],
    ['book on Monday', 'book', '2026-11-23'],
    ['pick up the kids at 5', 'pick up the kids', '2026-11-16T17:00:00Z'],
    ['call at half past 3 tomorrow', 'call', '2026-11-17T15:30:00Z'],
    ['meet at 7 in the morning', 'meet', '2026-11-17T07:00:00Z'],
    ['dentist on 29 February', 'dentist', '2028-02-29'],
    ['meeting first Monday of January at 9', 'meeting', '2027-01-04T09:00:00Z'],
    ['rent the last day of february', 'rent', '2027-02-28'],
    ['pick up Jo at noon on 31/12', 'pick up Jo', '2026-12-31T12:00:00Z'],
    ['call Kim in a fortnight', 'call Kim', '2026-11-30'],
    ['call in 2 hours', 'call', '2026-11-16T11:00:00Z'],
    ['see Dr Lee on Thursday at a quarter past eleven in the morning', 'see Dr Lee', '2026-11-19T11:15:00Z'],
    ['see Dr Lee on Thursday at ten to twelve', 'see Dr Lee', '2026-11-19T11:50:00Z'],
    ['dentist on Thursday 15 Uhr', 'dentist', '2026-11-19T15:00:00Z'],
  ])('%s', (text, rest, due) => {
    const when = extractWhen(text, zone);
    expect([when?.rest, when?.due]).toEqual([rest, due]);
  });

  it.each([
    ['in January', '2027-01-01', '2027-01-31'],
    ['this year', '2026-01-01', '2026-12-31'],
    ['this week', '2026-11-16', '2026-11-22'],
    ['in 2027', '2027-01-01', '2027-12-31'],
  ])('%s is a range', (text, from, to) => {
    expect(extractWhen(text, zone)).toMatchObject({ from, to, isRange: true });
  });

  it.each([
    'look at 5 houses',
    'pay 2026 taxes',
    'water the plants every monday',
    'plan the v2.0 release',
    'invite ten to twelve people',
  ])('leaves %s alone', (text) => {
    expect(extractWhen(text, zone)).toBeUndefined();
  });

  it.each([
    ['2026-11-17T09:00:00Z', 'Friday', '2026-11-20T09:00:00Z'],
    ['2026-11-17T09:00:00Z', '4pm', '2026-11-17T16:00:00Z'],
    ['2026-11-17', '4pm', '2026-11-17T16:00:00Z'],
    ['2026-11-17T09:00:00Z', 'next week', '2026-11-23'],
    [undefined, 'Friday', '2026-11-20'],
    ['2026-12-18', 'the 20th', '2026-12-20'],
    ['2026-12-01', 'the 30th', '2026-11-30'],
  ])('%s becomes %s without losing the other part', (before, text, due) => {
    const when = extractWhen(text, zone);
    expect(when && mergeDue(before, when, zone)).toBe(due);
  });
});
