import type { DataFacts } from '../../model/facts.ts';
import type { Dimension, Measure, ModelTable, SpaceModel } from '../../model/model.ts';
import { isFunctionWord } from './function-words.ts';
import { type NamePart, namePartsOf } from './name-parts.ts';
import { readTokens } from './tokens.ts';
import { verbForms } from './verb-forms.ts';

/** How surely a word means a thing: its name, a verb for it, a short form, or a word for a wider thing. */
type Strength = 'name' | 'verb' | 'short' | 'wide';

/** A thing of the model that a word may mean. */
export type Sense =
  | { kind: 'measure'; space: string; name: string; strength: Strength; end?: 'high' | 'low' }
  /** `isValue`: a value that names the rows, such as shoes. */
  | { kind: 'noun'; table: string; isEntity: boolean; isActor: boolean; isShort?: boolean; isValue?: boolean }
  /** `of` is the table that the words name with it: customer region. */
  | { kind: 'dimension'; name: string; of?: string }
  /** `others`: a word that ends several names means all of them, such as boots. */
  | {
      kind: 'value';
      dimension: string;
      value: string;
      others?: readonly string[];
      strength: Strength;
      nounOf?: string | undefined;
      /** The things are people. */
      isPeople?: boolean;
    }
  | { kind: 'filter'; name: string; negated: boolean; isShort?: boolean }
  | { kind: 'verb'; table: string; isLight?: boolean }
  | { kind: 'hint'; space: string; name: string };

/** A space as questions see it. */
export interface SpaceView {
  model: SpaceModel;
  facts: DataFacts;
}

/** Senses of a phrase, its number of tokens, and the token of a superlative inside it: "lost the most revenue". */
interface Match {
  senses: Sense[];
  length: number;
  lifted?: number;
}

export interface Lexicon {
  /** Senses of the words at a place, by their number of tokens; determiners inside a phrase are skipped. */
  match(words: readonly { word: string; lemma: string; text: string }[], at: number, most?: number): Match | undefined;
  /** Single words, for typos. */
  words: ReadonlySet<string>;
}

const MAX_WORDS = 7;
const DETERMINERS = ['the', 'our', 'a', 'an', 'its', 'their', 'all', 'your', 'my'];
/** "Units were sold" has the same parts as "units sold". */
const AUXILIARIES = ['was', 'were', 'been', 'being', 'got'];
const SKIPPED: ReadonlySet<string> = new Set([...DETERMINERS, ...AUXILIARIES]);

const SUPERLATIVES: ReadonlySet<string> = new Set([
  'most',
  'fewest',
  'least',
  'highest',
  'lowest',
  'largest',
  'smallest',
  'more',
  'less',
  'fewer',
]);

/** The words of several spaces, and what each may mean. A word keeps all its senses. */
export function createLexicon(views: readonly SpaceView[]): Lexicon {
  const phrases = new Map<string, Sense[]>();
  const add = (phrase: string, sense: Sense, isExact = false) => {
    const tokens = readTokens(phrase);
    if (tokens.length === 0 || tokens.length > MAX_WORDS) return;
    const keys = isExact ? [wordsKey(tokens)] : [wordsKey(tokens), lemmaKey(tokens)];
    for (const key of new Set(keys)) {
      const known = phrases.get(key) ?? [];
      if (!known.some((other) => isSame(other, sense))) phrases.set(key, [...known, sense]);
    }
  };
  for (const { model, facts } of views) {
    for (const measure of model.measures.values()) addMeasure(measure, model.space, add);
    for (const table of model.tables.values()) addTable(table, add);
    for (const dimension of model.dimensions.values())
      addDimension(dimension, facts.values.get(dimension.name) ?? [], {
        add,
        isPeople: model.tables.get(dimension.nounOf ?? '')?.people === true,
      });
    for (const dimension of model.dimensions.values()) addQualified(dimension, model, add);
    for (const { name, names, opposite, short } of model.filters.values()) {
      for (const word of names) add(word, { kind: 'filter', name, negated: false });
      for (const word of opposite)
        add(word, { kind: 'filter', name, negated: true, ...(short.includes(word) && { isShort: true }) });
      for (const word of short.filter((one) => !opposite.includes(one)))
        add(word, { kind: 'filter', name, negated: false, isShort: true });
    }
  }
  for (const { model, facts } of views)
    for (const part of namePartsOf(model, facts))
      if (isNamePart(phrases.get(part.phrase) ?? [])) add(part.phrase, senseOfPart(part));
  const words = new Set([...phrases.keys()].flatMap((key) => key.split(' ')));
  return { match: (tokens, at, most) => matchAt(phrases, tokens, at, most), words };
}

function senseOfPart({ dimension, values: [value = '', ...others], nounOf }: NamePart): Sense {
  return { kind: 'value', dimension, value, others, strength: 'wide', nounOf };
}

/** Only parts of names of the same kind have taken the phrase so far. */
function isNamePart(senses: readonly Sense[]): boolean {
  return senses.every((sense) => sense.kind === 'value' && sense.strength === 'wide' && sense.others !== undefined);
}

/** "Customer region" is the region of the customer, and of nothing else. */
function addQualified({ name, names, homes, entity }: Dimension, { tables }: SpaceModel, add: Add): void {
  if (entity !== undefined) return;
  for (const { table } of homes)
    for (const noun of [...(tables.get(table)?.names ?? []), ...(tables.get(table)?.actors ?? [])])
      for (const word of new Set([name, ...names]))
        if (!word.startsWith(`${noun} `)) add(`${noun} ${word}`, { kind: 'dimension', name, of: table });
}

type Add = (phrase: string, sense: Sense, isExact?: boolean) => void;

function addMeasure(measure: Measure, space: string, add: Add): void {
  const sense = (strength: Strength, end?: 'high' | 'low'): Sense => {
    return { kind: 'measure', space, name: measure.name, strength, ...(end && { end }) };
  };
  for (const word of measure.names) add(word, sense('name'));
  for (const verb of measure.verbs) for (const form of verbForms(verb)) add(form, sense('verb'), true);
  for (const word of measure.short) add(word, sense('short'));
  for (const phrase of measure.hints) add(phrase, { kind: 'hint', space, name: measure.name }, true);
  for (const word of measure.high) add(word, sense('name', 'high'));
  for (const word of measure.low) add(word, sense('name', 'low'));
}

function addTable({ name: table, label, names, short, actors, verbs, light }: ModelTable, add: Add): void {
  const noun = { kind: 'noun', table, isEntity: label !== undefined, isActor: false } as const;
  for (const word of names) add(word, noun);
  for (const word of short) add(word, { ...noun, isShort: true });
  for (const word of actors) add(word, { ...noun, isEntity: false, isActor: true });
  for (const verb of verbs) for (const form of verbForms(verb)) add(form, { kind: 'verb', table }, true);
  for (const verb of light) for (const form of verbForms(verb)) add(form, { kind: 'verb', table, isLight: true }, true);
}

function addDimension(
  dimension: Dimension,
  values: readonly string[],
  { add, isPeople }: { add: Add; isPeople: boolean },
): void {
  // An entity's noun is a sense of its table already.
  if (dimension.entity === undefined || dimension.role !== undefined)
    for (const noun of dimension.names) add(noun, { kind: 'dimension', name: dimension.name });
  if (dimension.role !== undefined) return;
  for (const value of values) {
    const nounOf = dimension.entity === undefined ? dimension.nounOf : undefined;
    const sense = { kind: 'value', dimension: dimension.name, value, nounOf, ...(isPeople && { isPeople }) } as const;
    add(value, { ...sense, strength: dimension.common.includes(value) ? 'wide' : 'name' });
    for (const word of dimension.values[value] ?? []) add(word, { ...sense, strength: 'name' });
    for (const word of dimension.widening[value] ?? []) add(word, { ...sense, strength: 'wide' });
  }
}

function wordsKey(tokens: readonly { word: string }[]): string {
  return tokens.map(({ word }) => word).join(' ');
}

/** Only the last word of a name has a plural: "orders channel" is not the order channel. */
function lemmaKey(tokens: readonly { word: string; lemma: string }[]): string {
  return tokens.map(({ word, lemma }, at) => (at === tokens.length - 1 ? lemma : word)).join(' ');
}

function isSame(a: Sense, b: Sense): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function matchAt(
  phrases: ReadonlyMap<string, Sense[]>,
  tokens: readonly { word: string; lemma: string }[],
  at: number,
  most = MAX_WORDS + 2,
): Match | undefined {
  for (let length = Math.min(most, tokens.length - at); length > 0; length--) {
    const span = tokens.slice(at, at + length);
    const senses = [...new Set([span, withoutDeterminers(span)])].flatMap((words) => [
      ...(phrases.get(wordsKey(words)) ?? []),
      ...(phrases.get(lemmaKey(words)) ?? []),
    ]);
    const distinct = senses.filter((sense, index) => senses.findIndex((other) => isSame(other, sense)) === index);
    const kept = length === 1 ? distinct.filter((sense) => isMeant(sense, span[0]?.word ?? '')) : distinct;
    if (kept.length > 0) return { senses: kept, length };
    const lifted = span.findIndex(({ word }, index) => index > 0 && index < length - 1 && SUPERLATIVES.has(word));
    if (lifted < 0) continue;
    const rest = withoutDeterminers(span.filter((_, index) => index !== lifted));
    const found = phrases.get(wordsKey(rest)) ?? phrases.get(lemmaKey(rest)) ?? [];
    const measures = found.filter(({ kind }) => kind === 'measure');
    if (measures.length > 0) return { senses: measures, length, lifted: at + lifted };
  }
  return undefined;
}

/** "value of the stock" is the phrase "value of stock"; the first and the last word must be its own. */
function withoutDeterminers<T extends { word: string }>(span: readonly T[]): readonly T[] {
  const isInner = (index: number) => index > 0 && index < span.length - 1;
  const kept = span.filter(({ word }, index) => !isInner(index) || !SKIPPED.has(word));
  return kept.length === span.length ? span : kept;
}

/** A word of grammar, such as "top", means a value only where it is written exactly like one. */
function isMeant(sense: Sense, word: string): boolean {
  if (!isFunctionWord(word)) return true;
  if (sense.kind === 'hint') return true;
  return sense.kind === 'value' && sense.value.toLowerCase() === word && word.length > 3;
}
