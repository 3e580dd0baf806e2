import { describe, expect, it } from 'vitest';
import { createZones } from './time-zone.ts';

const now = new Date('2026-11-15T09:05:00Z');

describe('createZones', () => {
  it('writes an instant in a zone by name', () => {
    expect(createZones()('Asia/Kolkata').write(now)).toBe('Sunday, 15 November 2026 at 14:35 (Asia/Kolkata)');
  });

  it("writes it in the machine's own zone as that zone writes it by name", () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const named = createZones()(timeZone).write(now);
    const own = createZones()().write(now);
    expect(own.replace(/ \(UTC[+-]\d\d:\d\d\)$/, '')).toBe(named.replace(` (${timeZone})`, ''));
  });
});
