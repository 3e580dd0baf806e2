import type { SpaceView } from '../model/merge-models.ts';
import type { SpaceModel } from '../model/model.ts';
import { toSingular } from '../model/nouns.ts';
import { isClosedWord } from './grammar.ts';
import { readTokens } from './words/tokens.ts';

/** A thing of the model that some words may mean. `weight`: 3 its name, 2 a synonym, 1 a part of a name. */
export type Sense = { weight: number } & (
  | { kind: 'measure'; name: string; end?: 'highest' | 'lowest' }
  | { kind: 'table'; table: string }
  | { kind: 'dimension'; name: string }
  | { kind: 'value'; dimension: string; values: readonly string[] }
  | { kind: 'filter'; name: string; negated: boolean }
  | { kind: 'role'; table: string; role: string }
);

export interface Lexicon {
  /** Senses of the longest known phrase at a place, and its number of words; articles inside it are skipped. */
  match(lemmas: readonly string[], at: number): { senses: Sense[]; length: number } | undefined;
  /** Single words, for typos. */
  words: ReadonlySet<string>;
}

const MAX_WORDS = 7;
const SKIPPED: ReadonlySet<string> = new Set(
  'the our a an its their all your my was were been being got did we'.split(' '),
);
/** Entities with more rows are people or documents: a part of a name fits many. */
const MAX_NAMED = 500;
const LEAST_PART = 4;
/** Another form of a verb fits less than the word itself: "sold out" and "sell out". */
const INFLECTED = 0.9;

export function createLexicon({ model, facts }: SpaceView): Lexicon {
  const phrases = new Map<string, Sense[]>();
  const words = new Set<string>();
  const add = (phrase: string, exact: Sense, isInflected = true) => {
    for (const [index, key] of keysOf(phrase, isInflected).entries()) {
      const sense = index === 0 ? exact : { ...exact, weight: exact.weight * INFLECTED };
      const known = phrases.get(key) ?? [];
      const same = known.findIndex((one) => isSame(one, sense));
      if (same < 0) phrases.set(key, [...known, sense]);
      else if ((known[same]?.weight ?? 0) < sense.weight) known[same] = sense;
      for (const word of key.split(' ')) words.add(word);
    }
  };
  addModel(model, add);
  for (const { name, values: synonyms, entity, role } of model.dimensions.values()) {
    if (role !== undefined) continue;
    const values = facts.values.get(name) ?? [];
    for (const value of values) {
      add(value, { kind: 'value', dimension: name, values: [value], weight: 3 }, false);
      for (const word of synonyms[value] ?? [])
        add(word, { kind: 'value', dimension: name, values: [value], weight: 2 }, false);
    }
    if (entity === undefined || values.length > MAX_NAMED) continue;
    for (const [phrase, named] of partsOf(values))
      add(phrase, { kind: 'value', dimension: name, values: named, weight: 1 }, false);
  }
  return { words, match: (lemmas, at) => findLongest(phrases, lemmas, at) };
}

function addModel(model: SpaceModel, add: (phrase: string, sense: Sense) => void): void {
  for (const { name, synonyms, highest, lowest, isRowCount } of model.measures.values()) {
    add(name, { kind: 'measure', name, weight: 3 });
    if (isRowCount) continue;
    for (const word of synonyms) add(word, { kind: 'measure', name, weight: 2 });
    for (const form of highest.flatMap(degrees)) add(form, { kind: 'measure', name, end: 'highest', weight: 2 });
    for (const form of lowest.flatMap(degrees)) add(form, { kind: 'measure', name, end: 'lowest', weight: 2 });
  }
  for (const { name, noun, synonyms, joins } of model.tables.values()) {
    add(noun, { kind: 'table', table: name, weight: 3 });
    for (const word of synonyms) add(word, { kind: 'table', table: name, weight: 2 });
    for (const { role, synonyms: own } of joins)
      for (const word of own) add(word, { kind: 'role', table: name, role, weight: 0 });
  }
  for (const { name, synonyms, entity, role, say } of model.dimensions.values()) {
    if (entity !== undefined && role === undefined) continue;
    add(name, { kind: 'dimension', name, weight: 3 });
    for (const word of Object.values(say)) add(word, { kind: 'dimension', name, weight: 3 });
    for (const word of synonyms) add(word, { kind: 'dimension', name, weight: 2 });
  }
  for (const { name, synonyms, opposite } of model.filters.values()) {
    add(name, { kind: 'filter', name, negated: false, weight: 3 });
    for (const word of synonyms) add(word, { kind: 'filter', name, negated: false, weight: 2 });
    for (const word of opposite) add(word, { kind: 'filter', name, negated: true, weight: 2 });
  }
}

/** expensive, most expensive; cheap, cheapest; pricey, priciest. */
function degrees(word: string): string[] {
  const stem = word.replace(/e?y$/, 'i').replace(/e$/, '');
  return [word, `most ${word}`, `${stem}est`];
}

function keysOf(phrase: string, isInflected: boolean): string[] {
  const [first = '', ...rest] = readTokens(phrase).map(({ word }) => word);
  const forms = isInflected ? verbForms(first) : [first];
  const tail = rest.filter((word) => !SKIPPED.has(word)).map(toSingular);
  return [...new Set(forms.map((form) => [toSingular(form), ...tail].join(' ')))];
}

function isSame(a: Sense, b: Sense): boolean {
  const plain = (sense: Sense) => JSON.stringify({ ...sense, weight: 0 });
  return plain(a) === plain(b);
}

function findLongest(phrases: ReadonlyMap<string, Sense[]>, lemmas: readonly string[], at: number) {
  const key: string[] = [];
  let found: { senses: Sense[]; length: number } | undefined;
  for (let length = 1; key.length < MAX_WORDS && at + length <= lemmas.length; length++) {
    const word = lemmas[at + length - 1] ?? '';
    if (length > 1 && SKIPPED.has(word)) continue;
    key.push(word);
    const senses = phrases.get(key.join(' '));
    if (senses) found = { senses, length };
  }
  return found;
}

/** "Boots" for all names that end so, "Hillside" for the only name that begins so. */
function partsOf(values: readonly string[]): Map<string, string[]> {
  const names = values.map((value) => ({ value, words: readTokens(value).map(({ word }) => word) }));
  const ends = collect(names, (words) => words.slice(1).map((_, at) => words.slice(at + 1)));
  const begins = collect(names, (words) => words.slice(1).map((_, at) => words.slice(0, at + 1)));
  for (const [phrase, named] of begins) if (named.length === 1 && !ends.has(phrase)) ends.set(phrase, named);
  return ends;
}

function collect(names: readonly { value: string; words: string[] }[], cut: (words: string[]) => string[][]) {
  const found = new Map<string, string[]>();
  for (const { value, words } of names)
    for (const part of cut(words)) {
      const phrase = part.join(' ');
      if (phrase.length >= LEAST_PART && !part.every(isClosedWord))
        found.set(phrase, [...(found.get(phrase) ?? []), value]);
    }
  return found;
}

/** Irregular verbs with their past forms. */
const PAST = new Map(
  (
    'buy bought|sell sold|spend spent|make made|bring brought|win won|run ran run|lose lost|leave left|pay paid|send sent|' +
    'get got|hold held|ship shipped|shop shopped|go went gone|come came come|put put|give gave given|write wrote written|' +
    'take took taken|begin began begun|find found'
  )
    .split('|')
    .map((line) => [line.split(' ')[0] ?? '', line.split(' ').slice(1)]),
);

/** All forms of a verb; of several words the first one changes: "signed up". */
function verbForms(verb: string): string[] {
  const [base = '', ...rest] = verb.split(' ');
  const tail = rest.length > 0 ? ` ${rest.join(' ')}` : '';
  const stem = base.endsWith('e') ? base.slice(0, -1) : base;
  const doubled = /[^aeiou][aeiou][bdgmnpt]$/.test(base) && base.length <= 4 ? base + base.at(-1) : stem;
  const past = PAST.get(base) ?? [/[^aeiou]y$/.test(base) ? `${base.slice(0, -1)}ied` : `${doubled}ed`];
  const third = `${base.replace(/([^aeiou])y$/, '$1ie').replace(/(s|sh|ch|x)$/, '$1e')}s`;
  return [...new Set([base, third, ...past, `${doubled}ing`])].map((form) => `${form}${tail}`);
}
