import type { SpaceView } from '../model/merge-models.ts';
import { pluralOf } from './gate-words.ts';

/** A thing with a full name that means nothing else. */
interface PlainThing {
  kind: 'measure' | 'dimension' | 'table';
  name: string;
  /** The measure that counts the rows of a table. */
  count?: string | undefined;
  isPlural?: boolean;
}

export interface Names {
  find(phrase: string, kind: PlainThing['kind']): PlainThing | undefined;
  /** The value of a dimension with this name. */
  valueOf(phrase: string, dimension: string): string | undefined;
}

/** Full names only. A phrase that names two things of one kind, or also a value, names none. */
export function createNames({ model, facts }: SpaceView): Names {
  const found = new Map<string, PlainThing[]>();
  const add = (phrase: string, thing: PlainThing) => {
    found.set(phrase.toLowerCase(), [...(found.get(phrase.toLowerCase()) ?? []), thing]);
  };
  const addBoth = (noun: string, thing: PlainThing) => {
    add(noun, { ...thing, isPlural: false });
    add(pluralOf(noun), { ...thing, isPlural: true });
  };
  const measures = [...model.measures.values()];
  for (const { name, synonyms, kind, isRowCount } of measures) {
    // "Conversion rate" may be the rate of another step.
    const isRate = kind === 'ratio' || kind === 'share';
    const isShared = isRate && measures.some((other) => other.name !== name && other.name.endsWith(name));
    if (isRowCount || isShared) continue;
    const full = synonyms.filter((word) => word.endsWith(` ${name}`));
    for (const phrase of new Set([name, ...full])) add(phrase, { kind: 'measure', name });
  }
  for (const { name, noun, label } of model.tables.values()) {
    const count = measures.find((one) => one.isRowCount && one.table === name)?.name;
    // Carts are rows, and a column of another table counts carts, too.
    if (measures.some((one) => !one.isRowCount && one.unit === pluralOf(noun) && one.table !== name)) continue;
    addBoth(noun, { kind: 'table', name, count });
    if (label !== undefined) addBoth(noun, { kind: 'dimension', name: noun });
  }
  for (const { name, entity } of model.dimensions.values())
    if (entity === undefined) addBoth(name, { kind: 'dimension', name });
  const values = new Set([...facts.values.values()].flatMap((list) => list.map((value) => value.toLowerCase())));
  return {
    valueOf: (phrase, dimension) => (facts.values.get(dimension) ?? []).find((value) => value.toLowerCase() === phrase),
    find(phrase, kind) {
      const [only, ...others] = (found.get(phrase) ?? []).filter((thing) => thing.kind === kind);
      return others.length > 0 || values.has(phrase) ? undefined : only;
    },
  };
}
