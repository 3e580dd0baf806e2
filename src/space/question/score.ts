import type { DataQuery, QuerySpan } from '../../schema/data-query.ts';
import { resolveDimension } from '../model/resolve.ts';
import type { Draft } from './draft-shape.ts';
import { isBeside } from './draft-walk.ts';
import type { ScoredCandidate } from './reading.ts';
import type { Candidate } from './settle/settle.ts';
import type { SpaceView } from './words/lexicon.ts';

const COSTS = {
  verb: 8,
  /** A further table that the measures are of. */
  table: 3,
  problem: 1_000,
  assumption: 10,
  weak: 5,
  measure: 3,
  space: 4,
  hop: 1,
  unbound: 3,
  hint: 2,
  distance: 3,
  /** A short name without another word of its table. */
  lonely: 4,
  /** A condition on whole things where single rows are asked about. */
  coarse: 7,
  /** A condition whose words may as well name the measure: units in stock. */
  doubled: 4,
};

/** Rates a reading: the lower, the better. Readings of about equal score are asked about. */
export function scoreCandidate(candidate: Candidate & { draft: Draft }, views: readonly SpaceView[]): ScoredCandidate {
  const { problems, assumptions, weak, query, parts, draft } = candidate;
  const cost =
    problems.length * COSTS.problem +
    assumptions.length * COSTS.assumption +
    weak.length * COSTS.weak +
    namesOf(query).size * COSTS.measure +
    verbsOverNouns(draft) * COSTS.verb +
    Math.max(0, tablesOf(query, views).size - 1) * COSTS.table +
    Math.max(0, parts.length - 1) * COSTS.space +
    parts.reduce((sum, { space, query: part }) => sum + hopsOf(part, space, views), 0) * COSTS.hop +
    unboundDimensions(draft) * COSTS.unbound +
    lonelyShorts(draft, views) * COSTS.lonely +
    doubledFilters(candidate) * COSTS.doubled +
    coarseFilters(candidate, views) * COSTS.coarse +
    (candidate.distance ?? 0) * COSTS.distance;
  const spans = draft.items.flatMap(({ words, start, end }, at): QuerySpan[] => {
    const part = candidate.roles.get(at);
    return part === undefined ? [] : [{ words, start, end, part }];
  });
  const hints = draft.items.filter(
    (item) => item.kind === 'content' && item.sense.kind === 'hint' && isPicked(item.sense.name, query),
  );
  return { ...candidate, score: cost - hints.length * COSTS.hint, spans };
}

function isPicked(name: string, { measures }: DataQuery): boolean {
  return measures.some((measure) => measure.name === name);
}

function tablesOf({ measures }: DataQuery, views: readonly SpaceView[]): Set<string> {
  return new Set(
    measures.flatMap(({ name }) => {
      const view = views.find(({ model }) => model.measures.has(name));
      return view?.model.measures.get(name)?.table ?? [];
    }),
  );
}

function namesOf({ measures, having }: DataQuery): Set<string> {
  return new Set([...measures.map(({ name }) => name), ...having.map(({ measure }) => measure)]);
}

/** "Orders" and "reviews" are nouns before they are verbs. */
function verbsOverNouns({ items }: Draft): number {
  return items.filter(
    (item) =>
      item.kind === 'content' &&
      item.sense.kind === 'verb' &&
      item.senses.some(({ kind }) => kind === 'noun' || kind === 'value'),
  ).length;
}

/** A short name, such as "value", counts where another word is of the same table. */
function lonelyShorts(draft: Draft, views: readonly SpaceView[]): number {
  const tables = evidenceOf(draft, views);
  const others = (name: string, at: number) =>
    draft.mentions.some(({ sense, at: place }) => sense.kind === 'measure' && sense.name === name && place !== at);
  return draft.mentions.filter(({ sense, at }) => {
    if (sense.kind !== 'measure' || sense.strength !== 'short') return false;
    const table = views.find(({ model }) => model.space === sense.space)?.model.measures.get(sense.name)?.table;
    return !others(sense.name, at) && !tables.some((one) => one.table === table && one.at !== at);
  }).length;
}

function evidenceOf(draft: Draft, views: readonly SpaceView[]): { table: string; at: number }[] {
  const models = views.map(({ model }) => model);
  return draft.items.flatMap((item, at) => {
    if (item.kind !== 'content') return [];
    const { sense } = item;
    if (sense.kind === 'noun' || sense.kind === 'verb') return [{ table: sense.table, at }];
    if (sense.kind === 'measure' && sense.strength === 'name') {
      const table = models.find(({ space }) => space === sense.space)?.measures.get(sense.name)?.table;
      return table === undefined ? [] : [{ table, at }];
    }
    if (sense.kind !== 'value' && sense.kind !== 'dimension') return [];
    const name = sense.kind === 'value' ? sense.dimension : sense.name;
    return models.flatMap(({ dimensions }) => (dimensions.get(name)?.homes ?? []).map(({ table }) => ({ table, at })));
  });
}

/** "Units in stock": the words name the measure; a condition beside it would say the same again. */
function doubledFilters({ query, draft }: Candidate & { draft: Draft }): number {
  return draft.items.filter(
    (item) =>
      item.kind === 'content' &&
      item.sense.kind === 'filter' &&
      item.senses.some((sense) => sense.kind === 'measure' && isPicked(sense.name, query)),
  ).length;
}

/** "Out of stock at the Airport Store": of that position, not of the product at all locations. */
function coarseFilters({ parts }: Candidate, views: readonly SpaceView[]): number {
  return parts.flatMap(({ space, query }) => {
    const model = views.find((view) => view.model.space === space)?.model;
    const conditions = [...query.named, ...(query.part?.named ?? [])];
    return conditions.filter(({ name }) => {
      const { of, where } = model?.filters.get(name) ?? {};
      if (!model || of === undefined || where === undefined) return false;
      const fact = /\(([a-z][a-z0-9_]*)\./.exec(where)?.[1];
      const counts = query.measures.some(({ name: one }) => {
        const measure = model.measures.get(one);
        return measure?.isRowCount && measure.table === fact;
      });
      const names = [...query.dimensions, ...query.filters.map(({ dimension }) => dimension)];
      const isPlaced = names.some((one) =>
        model.dimensions
          .get(one)
          ?.homes.some(({ table }) => table !== of && table !== fact && !isRow(model, of, table)),
      );
      return counts || isPlaced;
    });
  }).length;
}

/** A table that the thing itself belongs to says nothing about single rows. */
function isRow(model: SpaceView['model'], of: string, table: string): boolean {
  return (model.tables.get(of)?.joins ?? []).some((join) => join.table === table);
}

function hopsOf(query: DataQuery, space: string, views: readonly SpaceView[]): number {
  const model = views.find((view) => view.model.space === space)?.model;
  const [first] = query.measures;
  const table = first?.among ?? model?.measures.get(first?.name ?? '')?.table;
  if (!model || table === undefined) return 0;
  const conditions = [...query.filters, ...(query.part?.filters ?? [])];
  const hops = conditions.map(({ dimension }) => {
    const found = resolveDimension(model, table, dimension);
    return found && 'place' in found ? found.place.path.length : 0;
  });
  return hops.reduce((sum, count) => sum + count, 0);
}

/** A dimension word beside a value of another dimension: "preferred channel Website". */
function unboundDimensions(draft: Draft): number {
  return draft.mentions.filter(({ sense, at }) => {
    if (sense.kind !== 'dimension') return false;
    const beside = draft.values.filter((value) => isBeside(draft, value.at, at));
    // The value behind the dimension is its own; only without one, the value before it is.
    const [own] = beside.toSorted((a, b) => b.at - a.at);
    return own !== undefined && own.sense.dimension !== sense.name;
  }).length;
}
