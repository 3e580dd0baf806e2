import { describe, expect, it } from 'vitest';
import { isLater, parseEventId } from './event-id.ts';

describe('parseEventId', () => {
  it('reads the turn and the place', () => {
    expect(parseEventId('01M7.1.13.1440.1')).toEqual({ turnId: '01M7', place: [1, 13, 1440, 1] });
  });

  it('reads the place of a frame that passes, and of one after it', () => {
    expect(parseEventId('01M7.1.2.0+1')).toEqual({ turnId: '01M7', place: [1, 2, 0], isPassing: true });
    expect(parseEventId('01M7.1.2.0+1.1')).toEqual({ turnId: '01M7', place: [1, 2, 0, 1] });
  });

  it('refuses anything else', () => {
    expect(['', '01M7', '01M7.1.2', '01M7.1.x.3'].map(parseEventId)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('isLater', () => {
  it('orders by attempt, event, text offset and frame', () => {
    const places = [
      [1, 0, 0, 1],
      [1, 1, 0],
      [1, 1, 0, 1],
      [1, 13, 7],
      [1, 13, 1440],
      [1, 13, 1440, 999],
      [2, 14, 0],
    ];
    for (const [index, place] of places.entries()) {
      expect(places.map((other) => isLater(other, place))).toEqual(places.map((_, other) => other > index));
    }
  });

  it('takes the first frame of a turn', () => {
    expect(isLater([1, 0, 0, 1], undefined)).toBe(true);
  });
});
