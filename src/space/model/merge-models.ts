import type { Dimension, Filter, ModelTable, SpaceModel } from './model.ts';

/** Facts about the data of a model that questions are read with. */
export interface DataFacts {
  /** Dimension → its values as the data holds them. */
  values: ReadonlyMap<string, readonly string[]>;
  /** Table → its oldest and newest date. */
  ranges: ReadonlyMap<string, { from: string; to: string }>;
  /** `table.column` of time columns that hold months. */
  months: ReadonlySet<string>;
  /** The day that relative periods count from. */
  today: string;
}

/** A model with the facts of its data. */
export interface SpaceView {
  model: SpaceModel;
  facts: DataFacts;
}

/**
 * Joins several spaces into a single vocabulary and join graph. A table, a dimension or a condition with the same name in
 * several spaces is one thing. A measure belongs to the first space that declares it.
 */
export function mergeViews(views: readonly SpaceView[]): SpaceView {
  const [first, ...others] = views;
  if (!first) throw new Error('there is no space to read with');
  if (others.length === 0) return first;
  const models = views.map(({ model }) => model);
  const ends = views.map(({ facts }) => facts.today).toSorted();
  return {
    model: {
      space: models.map(({ space }) => space).join('+'),
      today: first.model.today,
      tables: mergeMaps(models, ({ tables }) => tables, mergeTables),
      measures: mergeMaps(models, ({ measures }) => measures),
      dimensions: mergeMaps(models, ({ dimensions }) => dimensions, mergeDimensions),
      filters: mergeMaps(models, ({ filters }) => filters, mergeFilters),
      verified: models.flatMap(({ verified }) => verified),
    },
    facts: {
      values: mergeMaps(views, ({ facts }) => facts.values, union),
      ranges: mergeMaps(views, ({ facts }) => facts.ranges),
      months: new Set(views.flatMap(({ facts }) => [...facts.months])),
      today: ends.at(-1) ?? first.facts.today,
    },
  };
}

function mergeMaps<S, T>(
  sources: readonly S[],
  mapOf: (source: S) => ReadonlyMap<string, T>,
  merge: (a: T, b: T) => T = (one) => one,
): Map<string, T> {
  const merged = new Map<string, T>();
  for (const [name, value] of sources.flatMap((source) => [...mapOf(source)])) {
    const known = merged.get(name);
    merged.set(name, known === undefined ? value : merge(known, value));
  }
  return merged;
}

const union = <T>(a: readonly T[], b: readonly T[]): T[] => [...new Set([...a, ...b])];

function mergeTables(a: ModelTable, b: ModelTable): ModelTable {
  const joins = [...a.joins, ...b.joins.filter(({ role }) => !a.joins.some((join) => join.role === role))];
  return { ...a, synonyms: union(a.synonyms, b.synonyms), joins };
}

function mergeDimensions(a: Dimension, b: Dimension): Dimension {
  const isKnown = (home: Dimension['homes'][number]) =>
    a.homes.some(({ table, column }) => table === home.table && column === home.column);
  return {
    ...a,
    homes: [...a.homes, ...b.homes.filter((home) => !isKnown(home))],
    synonyms: union(a.synonyms, b.synonyms),
    values: { ...b.values, ...a.values },
    say: { ...b.say, ...a.say },
  };
}

function mergeFilters(a: Filter, b: Filter): Filter {
  const synonyms = union(a.synonyms, b.synonyms);
  if (!a.columns || !b.columns) return { ...a, synonyms };
  return { ...a, columns: union(a.columns, b.columns), synonyms, opposite: union(a.opposite, b.opposite) };
}
