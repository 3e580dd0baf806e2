import type { Comparison, Grain } from '../../../schema/data-query.ts';
import type { Piece } from './pieces.ts';
import { openPeriod, plainPeriod } from './plain-periods.ts';
import { plainNumber } from './plain-words.ts';
import { change, either, maybe, type Rule, repeat, sequence } from './rules.ts';
import type { Sense, SenseOf, Vocabulary } from './vocabulary.ts';

export type Phrase = Rule<Piece[]>;

/** Words that are read over: `say('is|are')` is one of them, `say('how many')` both of them in a row. */
function sayIn(words: readonly string[]): (alternatives: string, ...pieces: Piece[]) => Phrase {
  return (alternatives, ...pieces) => {
    const lists = alternatives.split('|').map((phrase) => phrase.split(' '));
    return (at) =>
      lists
        .filter((list) => list.every((word, index) => words[at + index] === word))
        .map((list) => ({ value: pieces, next: at + list.length }));
  };
}

const GRAINS: readonly Grain[] = ['day', 'week', 'month', 'quarter', 'year'];
const ADVERBS: ReadonlyMap<string, Grain> = new Map([
  ['daily', 'day'],
  ['weekly', 'week'],
  ['monthly', 'month'],
  ['quarterly', 'quarter'],
  ['yearly', 'year'],
]);
/** Prepositions that may stand before a value. */
const PLACES = 'in|from|for|of|at|on|via|through|among|to';

/** The phrases that plain questions are built from. */
export function createPhrases(words: readonly string[], vocabulary: Vocabulary, today: string) {
  const say = sayIn(words);
  const determiner = maybe(say('the|our|all|all the|all our|all of our|all of the'));
  const read = readerOf(words, vocabulary);
  const values = vocabulary.rule(words, 'value');
  const dimensions = vocabulary.rule(words, 'dimension');
  const value = read('value', (senses) => [{ is: 'value', senses }]);
  const filter = read('filter', (senses) => [{ is: 'filter', senses }]);
  /** "West region", "segment VIP": a value beside the name of its dimension. */
  const namedValue = either(
    listOf(values, say('or'), (senses, or) => [{ is: 'value', senses, or }]),
    pair(values, dimensions, (senses, dimension) => [{ is: 'value', senses, dimension }]),
    pair(dimensions, values, (dimension, senses) => [{ is: 'value', senses, dimension }]),
  );
  return {
    ...figurePhrases(words, vocabulary),
    ...timePhrases(words, today),
    words,
    say,
    determiner,
    value,
    namedValue,
    filter,
    place: either(
      ...PLACES.split('|').map((by) =>
        change(sequence(say(by), determiner, namedValue), (pieces) =>
          pieces.map((piece): Piece => (piece.is === 'value' ? { ...piece, by } : piece)),
        ),
      ),
    ),
    thing: either(
      // "Orders of a customer" may be an average.
      read('noun', (senses) => toThing(withNumber(senses, true))),
      read('actor', (senses) => toThing(withNumber(senses, true))),
    ),
    light: read('light', (senses) => [{ is: 'light', senses }]),
    /** "Ordered", "placed an order": rows of a table that somebody has. */
    deed: (negated: boolean): Phrase =>
      either(
        read('verb', (senses) => [{ is: 'deed', senses, negated }]),
        pair(
          vocabulary.rule(words, 'light'),
          behind(maybe(say('an|any|a')), vocabulary.rule(words, 'noun')),
          (light, nouns) => toDeed(light, nouns, negated),
        ),
      ),
    /** A number of things. */
    count:
      (make: (count: number) => Piece): Phrase =>
      (at) => {
        const found = plainNumber(words[at]);
        return found && !found.isMoney && isLimit(found.value) ? [{ value: [make(found.value)], next: at + 1 }] : [];
      },
    bound: ((at) => {
      const found = plainNumber(words[at]);
      return found ? [{ value: [{ is: 'bound', ...found }], next: at + 1 }] : [];
    }) as Phrase,
  };
}

const MAX_LIMIT = 1000;

function isLimit(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value <= MAX_LIMIT;
}

function readerOf(words: readonly string[], vocabulary: Vocabulary) {
  return <K extends Sense['kind']>(kind: K, make: (senses: SenseOf<K>[]) => Piece[] | undefined): Phrase =>
    change(vocabulary.rule(words, kind), make);
}

/** Words for what is measured, counted and grouped. */
function figurePhrases(words: readonly string[], vocabulary: Vocabulary) {
  const read = readerOf(words, vocabulary);
  const column = (isPlural: boolean, isWithin = false): Phrase =>
    read('dimension', (senses) => toGroup(withNumber(senses, isPlural), isWithin));
  const group = (isPlural: boolean, isWithin = false): Phrase =>
    either(
      read('noun', (senses) => toGroup(withNumber(senses, isPlural), isWithin)),
      column(isPlural, isWithin),
    );
  return {
    measure: read('measure', (senses) => [{ is: 'figure', figure: { measure: senses } }]),
    /** A measure by words that stand apart: "lost the most revenue" is the lost revenue. */
    measureNamed: (name: string): Piece[] | undefined => {
      const found = vocabulary.find(name, 'measure');
      return found.length > 0 ? [{ is: 'figure', figure: { measure: found } }] : undefined;
    },
    /** A single row, after the word "one". */
    noun: read('noun', (senses) => {
      const single = withNumber(senses, false);
      return single.length > 0 ? [{ is: 'figure', figure: { rows: single } }] : undefined;
    }),
    rows: read('noun', (senses) => {
      const plural = withNumber(senses, true);
      return plural.length > 0 ? [{ is: 'figure', figure: { rows: plural } }] : undefined;
    }),
    /** "Women", "transfers": a value that names rows. */
    namedRows: read('value', toNamedRows),
    adjective: read('adjective', toEnd),
    column,
    group,
    /** The things of a ranking, which a value may name: "which bag". "By bags" is no group. */
    kind: (isPlural: boolean): Phrase =>
      either(
        group(isPlural),
        read('value', (senses) => toNamedGroup(withNumber(senses, isPlural))),
      ),
  };
}

function timePhrases(words: readonly string[], today: string) {
  const say = sayIn(words);
  const period: Phrase = (at) => toPeriods(plainPeriod(words, at, today));
  const grain: Phrase = (at) =>
    toGrain(
      GRAINS.find((unit) => unit === words[at]),
      at,
    );
  const adverb: Phrase = (at) => toGrain(ADVERBS.get(words[at] ?? ''), at);
  const inPeriod = either(sequence(maybe(say('in|for|during|over|of|on|within|in the month of')), period), (at) =>
    toPeriods(openPeriod(words, at, today)),
  );
  return { grain, adverb, period, inPeriod };
}
export type Phrases = ReturnType<typeof createPhrases>;

function pair<A, B>(first: Rule<A>, second: Rule<B>, make: (a: A, b: B) => Piece[]): Phrase {
  return (at) =>
    first(at).flatMap((one) => second(one.next).map((two) => ({ value: make(one.value, two.value), next: two.next })));
}

function toThing(senses: Extract<Piece, { is: 'thing' }>['senses']): Piece[] | undefined {
  return senses.length > 0 ? [{ is: 'thing', senses }] : undefined;
}

/** The second of two rules. The words of the first one add nothing. */
function behind<T>(first: Phrase, second: Rule<T>): Rule<T> {
  return (at) => first(at).flatMap(({ next }) => second(next));
}

function toDeed(light: SenseOf<'light'>[], nouns: SenseOf<'noun'>[], negated: boolean): Piece[] {
  const senses = nouns
    .filter((noun) => light.some(({ space, table }) => space === noun.space && table === noun.table))
    .map(({ space, table }) => ({ kind: 'verb' as const, space, table }));
  return [{ is: 'deed', senses, negated }];
}

/** A list of up to three values with "or" between them. */
function listOf<T>(one: Rule<T>, joint: Phrase, make: (first: T, more: T[]) => Piece[]): Phrase {
  const further: Rule<T[]> = (at) =>
    joint(at).flatMap(({ next }) => one(next).map((found) => ({ value: [found.value], next: found.next })));
  return pair(one, repeat(further, 2), make);
}

function withNumber<T extends { isPlural?: boolean }>(senses: readonly T[], isPlural: boolean): T[] {
  return senses.filter((one) => one.isPlural === isPlural);
}

function toGroup(senses: (SenseOf<'noun'> | SenseOf<'dimension'>)[], isWithin: boolean): Piece[] | undefined {
  return senses.length > 0 ? [{ is: 'group', senses, ...(isWithin && { isWithin }) }] : undefined;
}

/** "Which bag": a product of the category Bags. */
function toNamedGroup(senses: SenseOf<'value'>[]): Piece[] | undefined {
  const own = senses.flatMap((sense) =>
    sense.nounOf === undefined ? [] : [{ space: sense.space, table: sense.nounOf }],
  );
  return own.length > 0
    ? [
        { is: 'group', senses: own },
        { is: 'value', senses },
      ]
    : undefined;
}

/** "How many women": customers. "How many shoes" may be pairs or products. */
function toNamedRows(senses: SenseOf<'value'>[]): Piece[] | undefined {
  const own = senses.filter(({ nounOf, isPlural, isPiece }) => nounOf !== undefined && isPlural && !isPiece);
  const rows = own.map(({ space, nounOf = '' }) => ({ space, table: nounOf }));
  return own.length > 0
    ? [
        { is: 'figure', figure: { rows } },
        { is: 'value', senses: own },
      ]
    : undefined;
}

/** "Cheapest": the measure and the end of it. */
function toEnd(senses: SenseOf<'adjective'>[]): Piece[] | undefined {
  const [first] = senses;
  const isOne = senses.every(({ end }) => end === first?.end);
  return first && isOne
    ? [
        { is: 'figure', figure: { measure: senses } },
        { is: 'end', end: first.end },
        { is: 'kind', kind: 'single' },
      ]
    : undefined;
}

function toGrain(grain: Grain | undefined, at: number): ReturnType<Phrase> {
  return grain === undefined ? [] : [{ value: [{ is: 'grain', grain }], next: at + 1 }];
}

function toPeriods(found: ReturnType<typeof plainPeriod>): ReturnType<Phrase> {
  return found.map(({ value: days, next }) => ({ value: [{ is: 'period', days }], next }));
}

/** Comparisons that a number follows. */
export const COMPARISONS: Readonly<Record<Exclude<Comparison, 'not'>, string>> = {
  more: 'more than|over|above',
  at_least: 'at least',
  less: 'less than|fewer than|under|below',
  at_most: 'at most',
  exactly: 'exactly',
};
