import { describe, expect, it } from 'vitest';
import { findMoments } from './moments.ts';
import { createZone } from './zoned-time.ts';

const zone = createZone({ now: new Date('2026-11-16T12:00:00Z'), timezone: 'UTC' });

describe('findMoments', () => {
  it.each([
    ['from April 22 until April 27, 2023', [{ day: '2023-04-22' }, { day: '2023-04-27' }]],
    ['next Monday 2023.10.2 at 5:30pm', [{ day: '2023-10-02' }, { time: '17:30' }]],
    ['2023 April 21st', [{ day: '2023-04-21' }]],
    ['tomorrow at 7pm', [{ day: '2026-11-17', time: '19:00' }]],
    ['to km from 3 miles', []],
    ['on Friday', [{ day: '2026-11-20' }]],
    ['next Friday at 3pm', [{ day: '2026-11-27', time: '15:00' }]],
    ['on Monday', [{ day: '2026-11-23' }]],
    ['from Thursday to Tuesday', [{ day: '2026-11-19' }, { day: '2026-11-24' }]],
    ['this Wednesday, with the report of last Friday', [{ day: '2026-11-18' }, { day: '2026-11-13' }]],
  ])('%s', (text, found) => {
    expect(findMoments(text, zone).map(({ at: _, length: __, ...moment }) => moment)).toEqual(found);
  });
});
