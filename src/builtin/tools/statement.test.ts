import { describe, expect, it } from 'vitest';
import { isStatement, requestOf } from './statement.ts';

describe('isStatement', () => {
  it.each([
    'I paid the fine BX-7719, 35 euros',
    'Anna booked spinning on Thursday at 18:30',
    'the front door was unlocked all night',
    'order 40021 was refunded last week',
    'billing-api restarted itself on staging again',
    'my neighbour has the green tariff',
    'I might send Oliver 250 pounds one day',
  ])('is true for: %s', (text) => {
    expect(isStatement(text)).toBe(true);
  });

  it.each([
    'pay the fine BX-7719',
    'my card was stolen, block it',
    'the kids are asleep, lights off in the nursery',
    'lunch was 63.80, expense it',
    'the boots are too small, I want to return them',
    'KX-771 should cost 19.90',
    "I'd like 3 copies",
    'massage for room 214 tomorrow',
  ])('is false for: %s', (text) => {
    expect(isStatement(text)).toBe(false);
  });
});

describe('requestOf', () => {
  it.each([
    ['the mailer hangs again, restart it please', 'restart it please'],
    ['search is slow today. go back to v3.1', 'go back to v3.1'],
    ['movie time! dim the lounge to 10, my eyes hurt', 'dim the lounge to 10,'],
    ['what is the weather in Rome', 'what is the weather in Rome'],
    ['two tickets for tomorrow, row 3', 'two tickets for tomorrow, row 3'],
  ])('leaves out the remarks of: %s', (text, request) => {
    expect(requestOf(text)).toBe(request);
  });
});
