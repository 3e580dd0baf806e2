import { describe, expect, it } from 'vitest';
import { dateFormatOf, formatSerial } from './xlsx-dates.ts';

describe('dateFormatOf', () => {
  it.each([
    [14, undefined, 'date'],
    [22, undefined, 'date-time'],
    [46, undefined, 'duration'],
    [0, undefined, undefined],
    [164, 'dd.mm.yyyy', 'date'],
    [164, 'mmm yy', 'date'],
    [164, '[$-407]d. mmmm yyyy;@', 'date'],
    [164, 'yyyy-mm-dd hh:mm', 'date-time'],
    [164, 'h:mm AM/PM', 'time'],
    [164, '[h]:mm:ss', 'duration'],
    [164, '#,##0.00 "days"', undefined],
    [164, '0.00 \\d', undefined],
    [164, 'General', undefined],
  ])('reads format %s %s as %s', (id, code, expected) => {
    expect(dateFormatOf(id, code)).toBe(expected);
  });
});

describe('formatSerial', () => {
  it('counts from 1900 with its leap day that never was, or from 1904', () => {
    expect(formatSerial(46053, 'date', false)).toBe('2026-01-31');
    expect(formatSerial(1, 'date', false)).toBe('1900-01-01');
    expect(formatSerial(61, 'date', false)).toBe('1900-03-01');
    expect(formatSerial(44591, 'date', true)).toBe('2026-01-31');
  });

  it('shows times to the second, and durations beyond a day', () => {
    expect(formatSerial(46053.5729166667, 'date-time', false)).toBe('2026-01-31 13:45:00');
    expect(formatSerial(0.75, 'time', false)).toBe('18:00:00');
    expect(formatSerial(1.5, 'duration', false)).toBe('36:00:00');
  });

  it('gives back a number that is no date', () => {
    expect(formatSerial(1e15, 'date', false)).toBe('1000000000000000');
  });
});
