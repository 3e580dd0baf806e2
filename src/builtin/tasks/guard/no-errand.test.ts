import { describe, expect, it } from 'vitest';
import { isNoErrand, isNothing } from './no-errand.ts';

describe('isNoErrand', () => {
  it.each([
    'I must have lost my keys',
    'I remembered to call Anna',
    'Tom needs to call Anna',
    'gotta run',
    "let's say I buy milk",
    'add a chair. Or no, forget it',
  ])('%s', (text) => {
    expect(isNoErrand(text)).toBe(true);
  });

  it.each([
    'I need to talk to Anna',
    'Also need to call Anna',
    'Ok need to buy milk',
    'remind me that I might have to renew the passport',
    'add a task: we must have red wine',
    'gotta run to the store',
    'we must have a chat with Tom',
    "let's say back up the laptop by Thursday, add that",
    'Never mind. Please add ringing Margaret',
  ])('not: %s', (text) => {
    expect(isNoErrand(text)).toBe(false);
  });
});

describe('isNothing', () => {
  it('knows answers that name nothing', () => {
    expect(['I forgot', 'hang on', 'buy milk'].map(isNothing)).toEqual([true, true, false]);
  });
});
