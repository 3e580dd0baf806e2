import { describe, expect, it } from 'vitest';
import { DUE_RANGE_PATTERN, parseDueRange } from './due-range.ts';

describe('parseDueRange', () => {
  it.each([
    ['2026-11-16', { from: '2026-11-16', to: '2026-11-16' }],
    ['2026-11-16/2026-11-22', { from: '2026-11-16', to: '2026-11-22' }],
    ['../2026-11-15', { to: '2026-11-15' }],
    ['2026-11-16/..', { from: '2026-11-16' }],
    ['../..', {}],
    ['2026-11', { from: '2026-11-01', to: '2026-11-30' }],
    ['2028-02', { from: '2028-02-01', to: '2028-02-29' }],
    ['2026', { from: '2026-01-01', to: '2026-12-31' }],
    ['2026-W47', { from: '2026-11-16', to: '2026-11-22' }],
    ['2026-W01', { from: '2025-12-29', to: '2026-01-04' }],
    ['2026-W53', { from: '2026-12-28', to: '2027-01-03' }],
    ['2027-W01', { from: '2027-01-04', to: '2027-01-10' }],
    ['2026-11/2026-12', { from: '2026-11-01', to: '2026-12-31' }],
    ['2026-11-16/2026-11', { from: '2026-11-16', to: '2026-11-30' }],
  ])('reads %s', (text, range) => {
    expect([new RegExp(DUE_RANGE_PATTERN).test(text), parseDueRange(text)]).toEqual([true, range]);
  });

  it.each(['today', '2026-13', '2026-W54', '2026-W00', '26', '2026-11-16/', '/', '2026-11-1', '2026-11-16 '])(
    'is not asked for %j',
    (text) => {
      expect(new RegExp(DUE_RANGE_PATTERN).test(text)).toBe(false);
    },
  );
});
