import { describe, expect, it } from 'vitest';
import { exactJson, readDecision } from './human.ts';

describe('readDecision', () => {
  it.each([
    ['y', { approved: true }],
    ['YES', { approved: true }],
    ['a', { approved: true }],
    ['', { approved: false }],
    ['n', { approved: false }],
    ['no, because it is mine', { approved: false, reason: 'it is mine' }],
    ['not that one', { approved: false, reason: 'not that one' }],
    ['yes please', { approved: false, reason: 'yes please' }],
  ])('takes %j', (said, expected) => {
    expect(readDecision(said)).toEqual(expected);
  });
});

describe('exactJson', () => {
  it('writes what cannot be seen as a code', () => {
    expect(exactJson({ a: 'x\u202ey\u{e0041}\u001b' })).toBe('{\n  "a": "x\\u{202e}y\\u{e0041}\\u001b"\n}');
  });
});
