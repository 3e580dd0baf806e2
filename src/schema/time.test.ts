import { describe, expect, it } from 'vitest';
import { pastTimestamp, Timestamp } from './time.ts';

describe('Timestamp', () => {
  it.each(['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.123Z', '2026-01-01T00:00:00-05:00'])('takes %s', (text) => {
    expect(Timestamp.parse(text)).toBe(text);
  });

  it.each(['2026-01-01', '2026-01-01T00:00:00', '2026-02-30T00:00:00Z', 'now', 0])('refuses %s', (text) => {
    expect(Timestamp.safeParse(text).success).toBe(false);
  });
});

describe('pastTimestamp', () => {
  it('allows five seconds into the future and no more', () => {
    const schema = pastTimestamp(() => Date.parse('2026-01-01T00:00:00Z'));
    const times = ['2025-12-31T23:59:59Z', '2026-01-01T00:00:05Z', '2026-01-01T00:00:05.001Z'];
    expect(times.map((text) => schema.safeParse(text).success)).toEqual([true, true, false]);
  });
});
