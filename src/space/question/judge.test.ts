import { describe, expect, it } from 'vitest';
import { createPlainEnglish } from '../guard/plain/plain-english.ts';
import { judge } from './judge.ts';
import { bakery, bakeryReader } from './shop-fixture.ts';

const reader = bakeryReader();
const options = { views: [bakery()], plain: createPlainEnglish([bakery()]) };

function ask(text: string) {
  return judge(text, reader.read(text), options);
}

describe('confidence', () => {
  it.each(['turnover in Ulm', 'shelf stock', 'shelf stock in March 2025', 'return rate by town'])(
    'is high for %j',
    (text) => expect(ask(text)).toMatchObject({ kind: 'answer', confidence: 'high' }),
  );

  it.each([
    ['a level of the running month, which may also mean now', 'shelf stock in June 2025'],
    ['a level of several months', 'shelf stock in Q1 2025'],
    ['a level of a year', 'what is the shelf stock of 2024?'],
    ['a measure by a name that may mean something else', 'walk-in rate'],
    ['the running quarter, which may be the one of last year', 'turnover in Q2'],
    ['a part of a name', 'turnover of the Alpine'],
    ['a condition that only some of the excluded rows could have', 'turnover that is not refunded'],
    ['a value behind an excluded one', 'turnover without Ulm for Rye'],
    ['a value behind an excluded one and its noun', 'turnover without Rye breads in Ulm'],
    ['a rate that is compared with a bare number', 'towns with a return rate above 5'],
  ])('is not high for %s', (_, text) => {
    expect(ask(text)).toMatchObject({ kind: 'answer', confidence: 'medium' });
  });

  it.each(['how many Bagel', 'number of Baguette', 'how many Bagel or Baguette'])(
    'does not count the things that are named: %j',
    (text) => expect(ask(text).kind).toBe('decline'),
  );

  it('compares a rate in percent as a share', () => {
    const { candidate, echo } = ask('towns with a return rate above 5 percent');
    expect(candidate?.query.having).toEqual([{ measure: 'return rate', is: 'more', value: 0.05 }]);
    expect(echo).toContain('return rate more than 5 percent');
  });
});
