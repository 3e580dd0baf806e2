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
  | { kind: 'value'; space: string; dimension: string; value: string; nounOf?: string | undefined }
  | { kind: 'filter'; space: string; name: string; negated: boolean }
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
        const known = this.#senses.get(words.slice(at, at + length).join(' ')) ?? [];
        const value = known.filter((sense): sense is SenseOf<K> => sense.kind === kind);
        return value.length > 0 ? [{ value, next: at + length }] : [];
      });
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
    for (const { name, names } of measures.values())
      for (const word of names) this.#addNoun(word, () => ({ kind: 'measure', space, name }));
  }

  #addTables({ tables, space }: SpaceModel): void {
    for (const { name: table, names, light } of tables.values()) {
      for (const word of names) this.#addNoun(word, (isPlural) => ({ kind: 'noun', space, table, isPlural }));
      for (const verb of light) for (const form of participles(verb)) this.#add(form, { kind: 'light', space, table });
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
    const noun = entity === undefined && !pieces ? nounOf : undefined;
    for (const value of values) {
      if (common.includes(value) || needs.length > 0) continue;
      const sense = (isPlural: boolean): Sense => ({
        kind: 'value',
        space,
        dimension: name,
        value,
        ...(isPlural && noun !== undefined && { nounOf: noun }),
      });
      this.#add(value, sense(false));
      for (const word of [value, ...(dimension.values[value] ?? [])]) this.#addNoun(word, sense);
    }
  }
}

const PARTICIPLES: Readonly<Record<string, string>> = {
  make: 'made',
  give: 'given',
  leave: 'left',
  write: 'written',
  send: 'sent',
  take: 'taken',
  get: 'received',
};

/** "place" → "placed": the form that follows "were". */
function participles(verb: string): string[] {
  const known = PARTICIPLES[verb];
  if (known !== undefined) return [known];
  return verb.includes(' ') ? [] : [verb.endsWith('e') ? `${verb}d` : `${verb}ed`];
}
