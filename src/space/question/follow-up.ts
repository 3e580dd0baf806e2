import type { DataQuery } from '../../schema/data-query.ts';
import { makeDraft } from './draft.ts';
import type { Draft, ReadItem } from './draft-shape.ts';
import type { Earlier } from './earlier.ts';
import { type Candidate, finishSettling } from './settle/settle.ts';
import { settleConditions } from './settle/settle-conditions.ts';
import { settleGroups } from './settle/settle-groups.ts';
import { settleMeasures } from './settle/settle-measures.ts';
import { settleOrder } from './settle/settle-order.ts';
import { settlePeriods, settleTime } from './settle/settle-time.ts';
import { entityNoun, type Settling, startSettling, toQueryMeasure } from './settle/settling.ts';
import { pointsAtWinner, withWinner } from './winner.ts';
import type { SpaceView } from './words/lexicon.ts';

/** Edits the last query: values and periods replace those of the same kind, everything else stays. */
export function editEarlier(
  items: readonly ReadItem[],
  text: string,
  earlier: Earlier,
  views: readonly SpaceView[],
): Candidate {
  const draft = makeDraft(items, text, { isEdit: true });
  const settling: Settling = {
    ...startSettling(draft, views),
    known: dimensionsOf(earlier),
    base: earlier.parts[0]?.query,
  };
  const own = draft.mentions.some(({ task, sense }) => sense.kind === 'measure' || task === 'count');
  if (own) settleMeasures(settling);
  if (own && earlier.isAdded) settling.measures = [...earlierMeasures(earlier), ...settling.measures];
  if (settling.measures.length === 0) {
    settling.problems = settling.problems.filter((problem) => !problem.includes('nothing that is measured'));
    const hinted = draft.markers.has('how_many') || draft.markers.has('how_much') ? hintedMeasure(draft) : [];
    if (hinted.length > 0) settling.assumptions.push(`${hinted[0]?.name} is meant`);
    settling.measures = hinted.length > 0 ? hinted : earlierMeasures(earlier);
  }
  settleConditions(settling);
  settleGroups(settling);
  settlePeriods(settling);
  const base = earlier.parts[0]?.query;
  const before = base && textOf({ ...base, measures: earlier.parts.flatMap(({ query }) => query.measures) });
  if (base && draft.markers.has('other')) takeOthers(settling, base);
  if (base) mergeQuery(settling, draft, withWinner(withoutReplaced(base, earlier), earlier, settling), earlier);
  if (draft.markers.has('absolute')) asNumbers(settling);
  if (base && draft.markers.has('share')) asShare(settling, base);
  settleOrder(settling);
  if (base && !draft.most && !pointsAtWinner(base, earlier, draft)) keepRanking(settling, base);
  if (draft.markers.has('reversed')) reverse(settling);
  const measures = settling.measures.map(toQueryMeasure);
  if (textOf({ ...settling.query, measures }) === before || !saysSomething(draft))
    settling.problems.push('it changes nothing of the last question');
  settleTime(settling);
  settling.assumptions.push(...earlier.assumptions);
  return { ...finishSettling(settling), isEdit: true, distance: tableChanges(settling, earlier) };
}

/** A query as text. Fields that say nothing are left out, so that only meaning is compared. */
function textOf(query: DataQuery): string {
  return JSON.stringify(query, (_, value) =>
    value === null || (Array.isArray(value) && value.length === 0) ? undefined : value,
  );
}

/** "What about": nothing is left to change. */
function saysSomething({ items }: Draft): boolean {
  return items.some((item) => item.kind !== 'function' || !['filler', 'soft', 'role', 'and'].includes(item.sense.kind));
}

function earlierMeasures({ parts }: Earlier): Settling['measures'] {
  return parts.flatMap(({ space, query }) =>
    query.measures.map(({ name, aggregate, among, distinct }) => ({
      name,
      space,
      among,
      distinct,
      aggregate: aggregate === 'count' ? null : aggregate,
    })),
  );
}

/** Measures of another table than those of the last question: "units instead" stays with the rows of that question. */
function tableChanges({ measures, views }: Settling, { parts }: Earlier): number {
  const tableOf = ({ space, name }: { space: string; name: string }) =>
    views.find(({ model }) => model.space === space)?.model.measures.get(name)?.table;
  const known = new Set(
    parts.flatMap(({ space, query }) => query.measures.map(({ name }) => tableOf({ space, name }))),
  );
  return measures.filter((one) => !known.has(tableOf(one))).length;
}

function dimensionsOf({ parts }: Earlier): ReadonlySet<string> {
  return new Set(
    parts.flatMap(({ query }) => [...query.dimensions, ...query.filters.map(({ dimension }) => dimension)]),
  );
}

/** "By region instead of tier" gives up the conditions and groups of the tier. */
function withoutReplaced(base: DataQuery, { replaced = [] }: Earlier): DataQuery {
  return {
    ...base,
    filters: base.filters.filter(({ dimension }) => !replaced.includes(dimension)),
    dimensions: base.dimensions.filter((name) => !replaced.includes(name)),
  };
}

/** "What percentage is that?": the last condition is the part, the rows without it are the whole. */
function asShare(settling: Settling, base: DataQuery): void {
  const { query, assumptions } = settling;
  if (query.share !== 'none' || base.share !== 'none') return;
  const named = query.named.at(-1);
  const filter = query.filters.at(-1);
  if (query.numbers.length > 0 && !named) {
    Object.assign(query, { share: 'of_whole', part: { filters: [], named: [], numbers: query.numbers }, numbers: [] });
    assumptions.push('the share of the rows under the condition');
    return;
  }
  if (query.dimensions.length > 0 && !named) {
    query.share = 'of_group';
    return;
  }
  if (!named && !filter) return;
  query.share = 'of_whole';
  query.part = { filters: named || !filter ? [] : [filter], named: named ? [named] : [], numbers: [] };
  query.named = query.named.filter((one) => one !== named);
  if (!named) query.filters = query.filters.filter((one) => one !== filter);
  assumptions.push(`the share of ${named?.name ?? filter?.values.join(' or ')}`);
}

/** "And the other brands?": all but the ones of the last question, one by one. */
function takeOthers(settling: Settling, base: DataQuery): void {
  const { draft, query } = settling;
  const names = new Set([
    ...draft.mentions.flatMap(({ sense }) =>
      sense.kind === 'dimension' ? [sense.name] : sense.kind === 'noun' ? [entityNoun(settling, sense.table)] : [],
    ),
    ...draft.values.flatMap(({ sense }) => (sense.nounOf === undefined ? [] : [entityNoun(settling, sense.nounOf)])),
  ]);
  const last = base.filters.findLast(
    ({ dimension, negated }) => !negated && (names.size === 0 || names.has(dimension)),
  );
  if (!last) {
    settling.problems.push('"other" than which?');
    return;
  }
  query.filters.push({ ...last, negated: true });
  if (!query.dimensions.includes(last.dimension)) query.dimensions.push(last.dimension);
  settling.assumptions.push(`all but ${last.values.join(' and ')}`);
}

/** "In absolute numbers": the part of the share itself. */
function asNumbers({ query, problems }: Settling): void {
  if (query.share === 'none') problems.push('the last answer had no shares');
  query.filters = [...query.filters, ...(query.part?.filters ?? [])];
  query.named = [...query.named, ...(query.part?.named ?? [])];
  query.numbers = [...query.numbers, ...(query.part?.numbers ?? [])];
  Object.assign(query, { share: 'none', part: null });
}

function mergeQuery(settling: Settling, draft: Draft, base: DataQuery, { shown, isAdded }: Earlier): void {
  const { query } = settling;
  if (isAdded) addValues(query, base);
  if (base.without && query.numbers.length > 0) settling.problems.push('the number may belong to what is missing');
  const all = allOf(draft);
  const points = draft.pronouns.some((word) => /^(?:their|them|those|these|they|it|its)$/i.test(word));
  const replaced = new Set([...query.filters.map(({ dimension }) => dimension), ...all]);
  const single = new Set(query.filters.flatMap(({ dimension, negated }) => (negated ? [] : [dimension])));
  query.filters = [...base.filters.filter(({ dimension }) => !replaced.has(dimension)), ...query.filters];
  query.named = [...base.named.filter(({ name }) => !query.named.some((one) => one.name === name)), ...query.named];
  if (query.numbers.length === 0) query.numbers = base.numbers;
  if (query.having.length === 0) query.having = base.having;
  const isState =
    settling.measures.some((one) => one.mention) && settling.measures.every((one) => isSnapshot(settling, one));
  if (!isState && !query.period) {
    query.period = base.period;
    query.compare ??= base.compare;
  }
  if (draft.change !== undefined && !query.compare) settling.problems.push('a change needs two periods');
  if (query.dimensions.length === 0) query.grain ??= base.grain;
  query.per ??= base.per;
  query.without ??= base.without;
  if (query.share === 'none') {
    query.share = base.share;
    query.part = base.part;
  }
  // A value of the grouped dimension asks for its one figure.
  if (query.dimensions.length === 0) query.dimensions = base.dimensions.filter((name) => !single.has(name));
  const isNew = !query.filters.some(({ dimension }) => dimension === shown?.dimension);
  if (points && shown && isNew && settling.measures.every((one) => one.mention)) {
    query.filters.push({ dimension: shown.dimension, values: [...shown.values], negated: false });
    if (!query.dimensions.includes(shown.dimension)) query.dimensions.push(shown.dimension);
  }
}

/** "All brands side by side": the brand of the last question is given up. */
function allOf({ items, mentions }: Draft): string[] {
  return mentions.flatMap(({ sense, at }) =>
    sense.kind === 'dimension' && /\ball\b/i.test(items[at - 1]?.words ?? '') ? [sense.name] : [],
  );
}

/** "Add Velo Sport": the values of the last question stay. */
function addValues(query: DataQuery, base: DataQuery): void {
  for (const filter of query.filters) {
    const same = base.filters.find(({ dimension, negated }) => dimension === filter.dimension && !negated);
    if (!same || filter.negated) continue;
    filter.values = [...new Set([...same.values, ...filter.values])];
    if (!query.dimensions.includes(filter.dimension)) query.dimensions.push(filter.dimension);
  }
}

/** "The other way round": rows without an order are shown with the highest figure first. */
function reverse({ query, measures, problems }: Settling): void {
  const [first] = measures;
  if (!first || (query.dimensions.length === 0 && !query.grain)) problems.push('one figure has no order');
  else if (query.order) query.order.direction = query.order.direction === 'highest' ? 'lowest' : 'highest';
  else query.order = { by: first.name, direction: 'lowest' };
}

/** "How many are left": a phrase that speaks for a measure, beside no other. */
function hintedMeasure({ items }: Draft): Settling['measures'] {
  const hint = items.find((item) => item.kind === 'content' && item.sense.kind === 'hint');
  if (hint?.kind !== 'content' || hint.sense.kind !== 'hint') return [];
  const { name, space } = hint.sense;
  return [{ name, space, aggregate: null, among: null }];
}

function isSnapshot({ views }: Settling, { space, name }: { space: string; name: string }): boolean {
  const model = views.find((view) => view.model.space === space)?.model;
  return model?.tables.get(model.measures.get(name)?.table ?? '')?.snapshot ?? false;
}

/** The ranking of the last question stays, if its groups are still there and no names were taken from its rows. */
function keepRanking(settling: Settling, base: DataQuery): void {
  const { query } = settling;
  const { order, limit, limit_within } = base;
  const isSame = JSON.stringify(query.dimensions) === JSON.stringify(base.dimensions);
  const hasNames = query.filters.some(({ dimension }) => base.dimensions.includes(dimension));
  const [first] = settling.measures;
  if (!order || !isSame || hasNames || !first) return;
  const by = settling.measures.some(({ name }) => name === order.by) ? order.by : first.name;
  Object.assign(query, { order: { ...order, by }, limit, limit_within });
}
