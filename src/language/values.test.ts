import { describe, expect, it } from 'vitest';
import { findMoments } from './moments.ts';
import { findPlaces } from './places.ts';
import { convertUnit, findQuantities } from './quantities.ts';
import { findTokens } from './tokens.ts';
import { createZone } from './zoned-time.ts';

describe('findQuantities', () => {
  it.each([
    [
      '36 minutes at $1,200.50',
      [
        [36, 'minute'],
        [1200.5, ''],
      ],
    ],
    [
      'twenty-one guests and 2.5 million',
      [
        [2_500_000, ''],
        [21, 'guest'],
      ],
    ],
    ['the 18th century', [[18, 'century']]],
    ['20C', [[20, 'c']]],
    ['an hour and a half', [[1.5, 'hour']]],
    ['six and a half hours', [[6.5, 'hour']]],
    ['half a litre', [[0.5, 'litre']]],
    ['print it twice', [[2, 'time']]],
  ])('%s', (text, found) => {
    expect(findQuantities(text).map(({ value, unit }) => [value, unit])).toEqual(found);
  });
});

describe('convertUnit', () => {
  it('converts between units that measure the same', () => {
    expect([convertUnit(2, 'hour', 'minute'), convertUnit(0.5, 'litre', 'ml'), convertUnit(2, 'km', 'minute')]).toEqual(
      [120, 500, undefined],
    );
  });
});

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

describe('findPlaces', () => {
  it.each([
    ['a hotel in San Jose please', [['San Jose', 'CA', undefined]]],
    ['in Novato, CA', [['Novato', 'CA', 'CA']]],
    [
      'from LA to Paris',
      [
        ['Los Angeles', 'CA', undefined],
        ['Paris', undefined, undefined],
      ],
    ],
    ['in mountain view', [['Mountain View', 'CA', undefined]]],
    ['a nice bend of orange', []],
  ])('%s', (text, found) => {
    expect(findPlaces(text).map(({ city, state, said }) => [city, state, said])).toEqual(found);
  });
});

describe('findTokens', () => {
  it.each([
    ['see https://a.org/x?y=1.', [['url', 'https://a.org/x?y=1']]],
    ['write to ann@example.org, please', [['email', 'ann@example.org']]],
    [
      'ping 10.0.0.1 and db.example.com',
      [
        ['ip', '10.0.0.1'],
        ['host', 'db.example.com'],
      ],
    ],
    [
      'copy notes/old.md to hello.txt',
      [
        ['path', 'notes/old.md'],
        ['path', 'hello.txt'],
      ],
    ],
    [
      'order B-90817 of SK123 in v1.2.3',
      [
        ['code', 'B-90817'],
        ['code', 'SK123'],
        ['code', 'v1.2.3'],
      ],
    ],
    [
      'from v2.14 back to v2.13 on feature/cart',
      [
        ['code', 'v2.14'],
        ['code', 'v2.13'],
        ['code', 'feature/cart'],
      ],
    ],
    ['a well-known to-do for 30km on the 4th', []],
  ])('%s', (text, tokens) => {
    expect(findTokens(text).map(({ kind, value }) => [kind, value])).toEqual(tokens);
  });
});
