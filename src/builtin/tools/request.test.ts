import { describe, expect, it } from 'vitest';
import { remarksOf, requestOf } from './request.ts';

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

describe('remarksOf', () => {
  it.each<[string, string[]]>([
    ['the mailer hangs again, restart it', ['the mailer hangs again,']],
    ['restart it, the mailer hangs again', []],
    ['the mailer hangs again', []],
  ])('finds what comes before the request of: %s', (text, remarks) => {
    expect(remarksOf(text)).toEqual(remarks);
  });
});
