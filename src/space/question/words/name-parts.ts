import type { DataFacts } from '../../model/facts.ts';
import type { SpaceModel } from '../../model/model.ts';
import { isFunctionWord } from './function-words.ts';
import { readTokens } from './tokens.ts';

const LEAST_LENGTH = 4;

/**
 * Parts of names: "Hillside" for the only name that begins so, "boots" for all names that end so. They are weaker than
 * the names. Names of people are left out, because a first name fits many.
 */
export function* namePartsOf(model: SpaceModel, facts: DataFacts): Generator<NamePart> {
  for (const { name: dimension, entity, role } of model.dimensions.values()) {
    if (entity === undefined || role !== undefined || model.tables.get(entity)?.people) continue;
    const names = (facts.values.get(dimension) ?? []).map((value) => ({ value, words: wordsOf(value) }));
    for (const [phrase, values] of endingsOf(names)) yield { phrase, dimension, values, nounOf: entity };
    for (const [phrase, values] of beginningsOf(names)) if (values.length === 1) yield { phrase, dimension, values };
  }
}

/** A part of one or several names. */
export interface NamePart {
  phrase: string;
  dimension: string;
  values: readonly string[];
  /** The table whose rows it names, if it is the end of names. */
  nounOf?: string;
}

interface Named {
  value: string;
  words: string[];
}

function wordsOf(value: string): string[] {
  return readTokens(value).map(({ word }) => word);
}

function endingsOf(names: readonly Named[]): Map<string, string[]> {
  return collect(names, ({ words }) => words.slice(1).map((_, at) => words.slice(at + 1)));
}

function beginningsOf(names: readonly Named[]): Map<string, string[]> {
  return collect(names, ({ words }) => words.slice(1).map((_, at) => words.slice(0, at + 1)));
}

function collect(names: readonly Named[], partsOf: (name: Named) => string[][]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const name of names) {
    for (const part of partsOf(name)) {
      const phrase = part.join(' ');
      if (phrase.length < LEAST_LENGTH || part.every(isFunctionWord)) continue;
      found.set(phrase, [...(found.get(phrase) ?? []), name.value]);
    }
  }
  return found;
}
