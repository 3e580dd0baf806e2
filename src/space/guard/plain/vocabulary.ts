import type { DataFacts } from '../../model/facts.ts';
import type { Dimension, SpaceModel } from '../../model/model.ts';
import { toPlural, toSingular } from '../../model/nouns.ts';
import { plainWords } from './plain-words.ts';
import type { Rule } from './rules.ts';

/** A thing of a model that a word names without doubt. */
export type Sense =
  | { kind: 'measure'; space: string; name: string }
  | { kind: 'noun'; space: string; table: string; isPlural: boolean }
  | { kind: 'dimension'; space: string; name: string; isPlural: boolean; of?: string }
  /** `nounOf`: it names rows of that table. `needs`: it counts only beside one of these words, or the name of its dimension. */
  | {
      kind: 'value';
      space: string;
      dimension: string;
      value: string;
      nounOf?: string;
      isPiece?: boolean;
      isPlural?: boolean;
      needs?: readonly string[];
    }
  | { kind: 'filter'; space: string; name: string; negated: boolean }
  /** A word for one end of a measure: cheapest, best rated. */
  | { kind: 'adjective'; space: string; name: string; end: 'highest' | 'lowest' }
  /** A noun that may be named beside the rows, and says nothing more: the funnel. */
  | { kind: 'actor'; space: string; table: string; isPlural: boolean }
  | { kind: 'verb'; space: string; table: string }
  | { kind: 'light'; space: string; table: string };
export type SenseOf<K extends Sense['kind']> = Extract<Sense, { kind: K }>;

export interface View {
  model: SpaceModel;
  facts: DataFacts;
}

const MAX_WORDS = 7;

/** The names of all spaces. Short names, verbs, common words and words for wider things are left out: they may mean more. */
export class Vocabulary {
  readonly #senses = new Map<string, Sense[]>();

  constructor(views: readonly View[]) {
    for (const { model, facts } of views) {
      this.#addMeasures(model);
      this.#addTables(model);
      for (const dimension of model.dimensions.values())
        this.#addDimension(model, dimension, facts.values.get(dimension.name) ?? []);
      for (const { name, names, opposite, short } of model.filters.values()) {
        const sure = (list: readonly string[]) => list.filter((word) => !short.includes(word));
        for (const word of sure(names)) this.#add(word, { kind: 'filter', space: model.space, name, negated: false });
        for (const word of sure(opposite)) this.#add(word, { kind: 'filter', space: model.space, name, negated: true });
      }
    }
  }

  /** The senses of one kind that words have from a place on, each with its number of words. */
  rule<K extends Sense['kind']>(words: readonly string[], kind: K): Rule<SenseOf<K>[]> {
    return (at) =>
      Array.from({ length: Math.min(MAX_WORDS, words.length - at) }, (_, index) => index + 1).flatMap((length) => {
        const span = words.slice(at, at + length);
        const found = this.find(span.join(' '), kind);
        const value = found.length > 0 || kind !== 'measure' ? found : this.find(withoutArticles(span).join(' '), kind);
        return value.length > 0 ? [{ value: value.map((sense) => freed(sense, words)), next: at + length }] : [];
      });
  }

  /** The senses of one kind that a phrase has as a whole. */
  find<K extends Sense['kind']>(phrase: string, kind: K): SenseOf<K>[] {
    return (this.#senses.get(phrase) ?? []).filter((sense): sense is SenseOf<K> => sense.kind === kind);
  }

  #add(phrase: string, sense: Sense): void {
    const key = plainWords(phrase).join(' ');
    const known = this.#senses.get(key) ?? [];
    if (key !== '' && !known.some((other) => JSON.stringify(other) === JSON.stringify(sense)))
      this.#senses.set(key, [...known, sense]);
  }

  /** The word as it stands, in the singular and in the plural. */
  #addNoun(phrase: string, make: (isPlural: boolean) => Sense): void {
    const words = phrase.split(' ');
    const last = words.at(-1) ?? '';
    const before = words.slice(0, -1);
    const singular = [...before, toSingular(last)].join(' ');
    const plural = [...before, toPlural(toSingular(last))].join(' ');
    this.#add(singular, make(false));
    if (plural !== singular) this.#add(plural, make(true));
    this.#add(phrase, make(phrase === plural && plural !== singular));
  }

  #addMeasures({ measures, space }: SpaceModel): void {
    for (const { name, names, kind, unit } of measures.values())
      for (const word of names)
        if (kind !== 'average' || saysAverage(word, unit))
          this.#addNoun(word, () => ({ kind: 'measure', space, name }));
    for (const { name, high, low } of measures.values()) {
      for (const word of high) this.#add(word, { kind: 'adjective', space, name, end: 'highest' });
      for (const word of low) this.#add(word, { kind: 'adjective', space, name, end: 'lowest' });
    }
  }

  #addTables({ tables, space }: SpaceModel): void {
    for (const { name: table, names, light, verbs, actors } of tables.values()) {
      for (const word of names) this.#addNoun(word, (isPlural) => ({ kind: 'noun', space, table, isPlural }));
      // Rows without a noun of their own are named as a whole: the funnel.
      const isWhole = names.length === 0;
      for (const word of actors)
        this.#addNoun(word, (isPlural) => ({ kind: 'actor', space, table, isPlural: isPlural || isWhole }));
      for (const verb of light) for (const form of formsOf(verb)) this.#add(form, { kind: 'light', space, table });
      for (const verb of verbs) for (const form of formsOf(verb)) this.#add(form, { kind: 'verb', space, table });
    }
  }

  #addDimension({ space, tables }: SpaceModel, dimension: Dimension, values: readonly string[]): void {
    const { name, names, homes, entity, role, nounOf, pieces, common, needs } = dimension;
    if (entity === undefined)
      for (const word of new Set([name, ...names])) {
        this.#addNoun(word, (isPlural) => ({ kind: 'dimension', space, name, isPlural }));
        for (const { table } of homes)
          for (const noun of tables.get(table)?.names ?? [])
            if (!word.startsWith(`${noun} `))
              this.#addNoun(`${noun} ${word}`, (isPlural) => ({ kind: 'dimension', space, name, isPlural, of: table }));
      }
    if (role !== undefined) return;
    for (const value of values) {
      if (common.includes(value)) continue;
      const sense = (isPlural: boolean): Sense => ({
        kind: 'value',
        space,
        dimension: name,
        value,
        ...(entity === undefined && nounOf !== undefined && { nounOf, isPlural, isPiece: pieces }),
        ...(needs.length > 0 && { needs }),
      });
      const own = [value, ...(dimension.values[value] ?? [])];
      this.#add(value, sense(false));
      for (const word of own)
        if (nounOf === undefined) this.#add(word, sense(false));
        else this.#addNoun(word, sense);
      if (needs.includes('about'))
        for (const word of own) this.#add(`about ${word}`, { kind: 'value', space, dimension: name, value });
    }
  }
}

const ARTICLES: ReadonlySet<string> = new Set(['the', 'a', 'an', 'our']);

/** "Value of the stock" is the value of stock. */
function withoutArticles(span: readonly string[]): readonly string[] {
  return span.filter((word, index) => index === 0 || !ARTICLES.has(word));
}

/** A value needs no more than a word of its kind: "Sizing complaints". */
function freed<T extends Sense>(sense: T, words: readonly string[]): T {
  if (sense.kind !== 'value' || !sense.needs) return sense;
  const text = ` ${words.join(' ')} `;
  if (!sense.needs.some((word) => text.includes(` ${word} `))) return sense;
  const { needs: _, ...rest } = sense;
  return rest as T; // the same kind, without an optional field
}

/** "The order value" may be a total or one order's. Ratings and durations are never added up. */
function saysAverage(words: string, unit: string): boolean {
  return /\b(?:average|mean|per)\b/.test(words) || unit === 'stars' || unit === 'days';
}

const PAST: Readonly<Record<string, string>> = {
  begin: 'began',
  buy: 'bought',
  come: 'came',
  get: 'received',
  give: 'given',
  leave: 'left',
  lose: 'lost',
  make: 'made',
  sell: 'sold',
  send: 'sent',
  ship: 'shipped',
  shop: 'shopped',
  take: 'taken',
  transfer: 'transferred',
  write: 'written',
};

/** "place" → "placed", "sign up" → "signed up". */
export function pastOf(verb: string): string {
  const [first = '', ...rest] = verb.split(' ');
  const past =
    (Object.hasOwn(PAST, first) ? PAST[first] : undefined) ?? (first.endsWith('e') ? `${first}d` : `${first}ed`);
  return [past, ...rest].join(' ');
}

function formsOf(verb: string): string[] {
  return [verb, pastOf(verb)];
}
