import { describe, expect, it } from 'vitest';
import { createSpelling } from './spelling.ts';

describe('createSpelling', () => {
  const correct = createSpelling(['delete', 'remind', 'list', 'move', 'add'], new Set(['lost', 'mover']));

  it.each([
    ['delte', 'delete'],
    ['remidn', 'remind'],
    ['lsit', 'list'],
    ['mov', 'move'],
    ['deelete', 'delete'],
    ['relind', 'remind'],
  ])('corrects %s to %s', (word, target) => expect(correct(word)).toBe(target));

  it.each(['lost', 'mover', 'ad', 'banana', 'deltee2', 'dleet'])('leaves %s alone', (word) => {
    expect(correct(word)).toBe(word);
  });
});
