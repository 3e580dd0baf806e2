import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePositions, formatPosition, type Position, parsePosition } from './position.ts';

const turn = '01J9Z3V8Q4M5N6P7R8S9T0VWXY';
const count = fc.integer({ min: 0, max: 999_999_999 });
const position: fc.Arbitrary<Position> = fc.record({
  turn: fc.constant(turn),
  attempt: count,
  seq: count,
  offset: fc.integer({ min: 0, max: 999_999_999_999 }),
});

describe('formatPosition and parsePosition', () => {
  it('round-trip every position, and never give two of them the same name', () => {
    fc.assert(
      fc.property(position, position, (a, b) => {
        expect(parsePosition(formatPosition(a))).toEqual(a);
        expect(formatPosition(a) === formatPosition(b)).toBe(comparePositions(a, b) === 0);
      }),
    );
  });

  it.each([
    '',
    turn,
    `${turn}.1.2`,
    `${turn}.1.2.3.4`,
    `${turn}.-1.2.3`,
    `${turn}.1.2.x`,
    `x.1.2.3`,
    `${turn}.1.2.3\n`,
    `${turn}.1e3.2.3`,
  ])('refuses %j', (text) =>
    expect(() => parsePosition(text)).toThrow(expect.objectContaining({ code: 'invalid_request' })),
  );
});

describe('comparePositions', () => {
  it('orders by attempt, then by event, then by text', () => {
    const ordered = [
      { attempt: 1, seq: 2, offset: 9 },
      { attempt: 1, seq: 10, offset: 0 },
      { attempt: 1, seq: 10, offset: 1 },
      { attempt: 2, seq: 0, offset: 0 },
    ];
    expect([...ordered].reverse().sort(comparePositions)).toEqual(ordered);
  });
});
