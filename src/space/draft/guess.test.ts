import { describe, expect, it } from 'vitest';
import { guessAggregate, guessGood, guessUnit } from './guess.ts';

const TABLE = { name: 'jobs', file: 'jobs.csv', rows: 6, columns: [] };

describe('a drafted measure', () => {
  it.each([
    ['hourly_fee', 'average', 'money', undefined],
    ['hourlyRate', 'average', 'units', undefined],
    ['fee_per_hour', 'average', 'money', undefined],
    ['Price per night', 'average', 'money', undefined],
    ['km_per_day', 'average', 'km', undefined],
    ['late_fee', 'sum', 'money', undefined],
    ['lost_revenue', 'sum', 'money', 'up'],
    ['revenue', 'sum', 'money', 'up'],
    ['return_cost', 'sum', 'money', 'down'],
    ['persons', 'sum', 'units', undefined],
    ['hours', 'sum', 'hours', undefined],
  ])('of the column %s is a %s in %s, good: %s', (name, aggregate, unit, good) => {
    expect([guessAggregate({ name }), guessUnit({ name, max: 60 }, TABLE), guessGood(name)]).toEqual([
      aggregate,
      unit,
      good,
    ]);
  });
});
