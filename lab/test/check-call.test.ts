import { describe, expect, it } from 'vitest';
import { findWrongArguments } from '../scripts/check-call.ts';

describe('findWrongArguments', () => {
  const accepted = { city: ['New York, NY'], days: [3, ''], options: [{ unit: ['metric', ''] }] };

  it('compares texts without case and marks, and allows what may be absent', () => {
    expect(findWrongArguments({ city: 'new york NY', options: {} }, accepted)).toEqual([]);
  });

  it('names wrong, missing and additional arguments', () => {
    expect(findWrongArguments({ city: 'Boston', days: 2, more: 1 }, accepted)).toEqual([
      'more',
      'city',
      'days',
      'options',
    ]);
    expect(findWrongArguments({ city: 'New York, NY', options: {} }, accepted, ['days'])).toEqual(['days']);
  });
});
