import type { Comparison, Grain } from '../../../schema/data-query.ts';
import type { Piece } from './meaning.ts';
import { plainPeriod } from './plain-periods.ts';
import { plainNumber } from './plain-words.ts';
import { change, either, maybe, type Rule, repeat, sequence } from './rules.ts';
import type { Vocabulary } from './vocabulary.ts';

export type Phrase = Rule<Piece[]>;

/** Words that are read over: `say('is|are')` is one of them, `say('how many')` both of them in a row. */
export function sayIn(words: readonly string[]): (alternatives: string, piece?: Piece) => Phrase {
  return (alternatives, piece) => {
    const lists = alternatives.split('|').map((phrase) => phrase.split(' '));
    return (at) =>
      lists
        .filter((list) => list.every((word, index) => words[at + index] === word))
        .map((list) => ({ value: piece ? [piece] : [], next: at + list.length }));
  };
}

const GRAINS: readonly Grain[] = ['day', 'week', 'month', 'quarter', 'year'];
const ADVERBS: Readonly<Record<string, Grain>> = {
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  quarterly: 'quarter',
  yearly: 'year',
};

/** The phrases that plain questions are built from. */
export function createPhrases(words: readonly string[], vocabulary: Vocabulary, today: string) {
  const say = sayIn(words);
  const determiner = maybe(say('the|our|all|all the|all our|all of our|all of the|a|an'));

  const measure: Phrase = change(vocabulary.rule(words, 'measure'), (senses) => [
    { is: 'figure', figure: { measure: senses } },
  ]);
  const rows = (isPlural: boolean | undefined): Phrase =>
    change(vocabulary.rule(words, 'noun'), (senses) => {
      const fitting = senses.filter((one) => isPlural === undefined || one.isPlural === isPlural);
      return fitting.length > 0 ? [{ is: 'figure', figure: { rows: fitting } }] : undefined;
    });
  const thing: Phrase = change(vocabulary.rule(words, 'noun'), (senses) => [{ is: 'thing', senses }]);
  const value: Phrase = change(vocabulary.rule(words, 'value'), (senses) => [{ is: 'value', senses }]);
  const filter: Phrase = change(vocabulary.rule(words, 'filter'), (senses) => [{ is: 'filter', senses }]);
  const light: Phrase = change(vocabulary.rule(words, 'light'), (senses) => [{ is: 'light', senses }]);
  /** "Women", "transfers": a value that names rows. */
  const named: Phrase = change(vocabulary.rule(words, 'value'), (senses) => {
    const own = senses.filter((one) => one.nounOf !== undefined);
    const nouns = own.map((one) => ({
      kind: 'noun' as const,
      space: one.space,
      table: one.nounOf ?? '',
      isPlural: true,
    }));
    return own.length > 0
      ? [
          { is: 'figure', figure: { rows: nouns } },
          { is: 'value', senses: own },
        ]
      : undefined;
  });
  const grain: Phrase = (at) => {
    const found = GRAINS.indexOf(words[at] as Grain); // -1 for any other word
    const unit = GRAINS[found];
    return unit === undefined ? [] : [{ value: [{ is: 'grain', grain: unit }], next: at + 1 }];
  };
  const adverb: Phrase = (at) => {
    const unit = ADVERBS[words[at] ?? ''];
    return unit === undefined ? [] : [{ value: [{ is: 'grain', grain: unit }], next: at + 1 }];
  };
  const period: Phrase = (at) =>
    plainPeriod(words, at, today).map(({ value: days, next }) => ({ value: [{ is: 'period', days }], next }));

  /** "West region", "segment VIP": a value beside the name of its dimension. */
  const dimension = vocabulary.rule(words, 'dimension');
  const valueOf: Phrase = either(
    value,
    pair(vocabulary.rule(words, 'value'), dimension, (senses, names) => [{ is: 'value', senses, dimension: names }]),
    pair(dimension, vocabulary.rule(words, 'value'), (names, senses) => [{ is: 'value', senses, dimension: names }]),
  );
  const adjectives = repeat(either(value, filter), 3);
  const group = (isPlural?: boolean, isWithin?: boolean): Phrase =>
    either(
      change(vocabulary.rule(words, 'noun'), (senses) => toGroup(senses, isPlural, isWithin)),
      change(dimension, (senses) => toGroup(senses, isPlural, isWithin)),
    );
  const number =
    (make: (value: number) => Piece): Phrase =>
    (at) => {
      const found = plainNumber(words[at]);
      return found === undefined ? [] : [{ value: [make(found)], next: at + 1 }];
    };
  const inPeriod = either(
    sequence(maybe(say('in|for|during|over|of|from|on|within|in the month of')), period),
    openPeriod(words, today),
  );
  return {
    say,
    determiner,
    measure,
    rows,
    thing,
    value,
    valueOf,
    filter,
    light,
    named,
    grain,
    adverb,
    period,
    inPeriod,
    adjectives,
    group,
    number,
  };
}
export type Phrases = ReturnType<typeof createPhrases>;

function pair<A, B>(first: Rule<A>, second: Rule<B>, make: (a: A, b: B) => Piece[]): Phrase {
  return (at) =>
    first(at).flatMap((one) => second(one.next).map((two) => ({ value: make(one.value, two.value), next: two.next })));
}

function toGroup(
  senses: Extract<Piece, { is: 'group' }>['senses'],
  isPlural: boolean | undefined,
  isWithin = false,
): Piece[] | undefined {
  const fitting = senses.filter((one) => isPlural === undefined || one.isPlural === isPlural);
  return fitting.length > 0 ? [{ is: 'group', senses: fitting, ...(isWithin && { isWithin }) }] : undefined;
}

/** "Since May", "from March to August", "between March and August". */
function openPeriod(words: readonly string[], today: string): Phrase {
  const periodAt = (at: number) => plainPeriod(words, at, today);
  return (at) => {
    const [first] = words.slice(at);
    if (first === 'since')
      return periodAt(at + 1).map(({ value: { from }, next }) => ({
        value: [{ is: 'period', days: { from, to: today } }],
        next,
      }));
    const joint = first === 'from' ? ['to', 'until', 'through'] : first === 'between' ? ['and'] : [];
    return periodAt(at + 1).flatMap(({ value: start, next }) =>
      joint.includes(words[next] ?? '')
        ? periodAt(next + 1).flatMap((end) =>
            start.from <= end.value.to
              ? [{ value: [{ is: 'period' as const, days: { from: start.from, to: end.value.to } }], next: end.next }]
              : [],
          )
        : [],
    );
  };
}

/** Comparisons that a number follows. */
export const COMPARISONS: Readonly<Record<Exclude<Comparison, 'not' | 'exactly'>, string>> = {
  more: 'more than|over|above',
  at_least: 'at least',
  less: 'less than|fewer than|under|below',
  at_most: 'at most',
};
