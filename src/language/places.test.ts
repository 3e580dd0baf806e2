import { describe, expect, it } from 'vitest';
import { findCountry, findPlaces } from './places.ts';

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

  it('finds countries by name and code', () => {
    expect([findCountry('the UK')?.code, findCountry('FR')?.name, findCountry('Narnia')]).toEqual([
      'GB',
      'France',
      undefined,
    ]);
  });
});
