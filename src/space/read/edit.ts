import type { DataQuery } from '../../schema/data-query.ts';
import { auditEdit } from './audit.ts';
import { targetAt } from './compose-subject.ts';
import { beside, type Draft, entityOf, isOp, measureOf, NotReadable, rowCount } from './draft.ts';

/** The last turn of a conversation that was answered from data. Without one it has no parts. */
export interface Earlier {
  parts: readonly { space: string; query: DataQuery }[];
  /** The names that its rows showed, by dimension; there may be more. */
  shown?: { dimension: string; values: readonly string[]; isCut?: boolean } | undefined;
  /** The query of the turn before it. */
  previous?: DataQuery | undefined;
  /** The messages since then, which were not answered. */
  missed?: readonly string[] | undefined;
  /** The names in a question that was not answered, if it began anew. */
  subject?: Partial<DataQuery> | undefined;
  /** The one time that a ranking over time found. */
  shownTime?: string | undefined;
}

interface EditOptions {
  /** The message adds figures or groups instead of replacing them. */
  isAdded: boolean;
  earlier: Earlier;
  /** The last query, without what the message points at. */
  last: DataQuery;
}

/** Changes the last query by the parts that a message names: values, periods, groups and figures replace their kind. */
export function editQuery(draft: Draft, base: DataQuery, options: EditOptions): DataQuery {
  let query: DataQuery = { ...base };
  query = editMeasures(draft, query, options);
  query = editGroups(draft, query, options);
  query = editConditions(draft, query);
  query = editTime(draft, query);
  query = editOrder(draft, query);
  query = editShare(draft, query, options.earlier.previous);
  if (sameQuery(query, options.last)) throw new NotReadable('it changes nothing of the last question');
  auditEdit(draft);
  return query;
}

/** Periods are the same if their days are, whatever the words for them. */
export function sameQuery(a: DataQuery, b: DataQuery): boolean {
  const text = (query: DataQuery) => JSON.stringify(query, (key, value) => (key === 'words' ? undefined : value));
  return text(a) === text(b);
}

function editMeasures(draft: Draft, query: DataQuery, { isAdded }: EditOptions): DataQuery {
  const names = draft.nodes.flatMap(({ sense }, at) => {
    if (sense?.kind === 'measure' && sense.end === undefined) {
      draft.used.add(at);
      return [sense.name];
    }
    const before = draft.nodes[beside(draft, at, -1, ['soft', 'distinct', 'place'])];
    if (sense?.kind !== 'table' || (before && isOp(before, 'by', 'per', 'each'))) return [];
    const count = rowCount(draft, sense.table);
    const isListed = !(before && isOp(before, 'how_many')) && entityOf(draft, sense.table) !== undefined;
    draft.used.add(at);
    if (!count || isListed) return [];
    return [count.name];
  });
  if (names.length === 0) return query;
  const added = names.map((name) => ({ name, aggregate: null, among: null }));
  const measures = isAdded ? [...query.measures.filter(({ name }) => !names.includes(name)), ...added] : added;
  const order =
    query.order && !measures.some(({ name }) => name === query.order?.by)
      ? { ...query.order, by: measures[0]?.name ?? '' }
      : query.order;
  return { ...query, measures, order, having: [], share: query.share === 'of_group' ? 'of_group' : 'none', part: null };
}

function editGroups(draft: Draft, query: DataQuery, { isAdded }: EditOptions): DataQuery {
  const groups = draft.nodes.flatMap(({ sense }, at) => {
    const name =
      sense?.kind === 'dimension' ? sense.name : sense?.kind === 'table' ? entityOf(draft, sense.table) : undefined;
    if (name === undefined) return groupByKind(draft, at);
    const before = draft.nodes[beside(draft, at, -1, ['soft', 'most', 'place', 'verb'])];
    const isGroup = before === undefined || isOp(before, 'by', 'per', 'each', 'ask', 'list', 'and', 'most', 'share');
    draft.used.add(at);
    return isGroup && !(before && isOp(before, 'how_many')) ? [name] : [];
  });
  for (const [at, node] of draft.nodes.entries())
    if (isOp(node, 'by', 'per', 'each', 'ask', 'list')) draft.used.add(at);
  if (groups.length === 0) return query;
  return {
    ...query,
    dimensions: isAdded ? [...new Set([...query.dimensions, ...groups])] : groups,
    grain: isAdded ? query.grain : null,
    limit: null,
    limit_within: null,
    order: null,
  };
}

/** "By warehouse": the rows that the value names. */
function groupByKind(draft: Draft, at: number): string[] {
  const { sense } = draft.nodes[at] ?? {};
  const before = draft.nodes[beside(draft, at, -1, ['soft', 'place'])];
  const isWhich = before?.op?.is === 'ask' && /^which/i.test(before.item.text);
  if (sense?.kind !== 'value' || !before || !(isWhich || isOp(before, 'by', 'per', 'each'))) return [];
  const { dimension } = targetAt(draft, at) ?? {};
  return dimension === undefined ? [] : [dimension];
}

function editConditions(draft: Draft, query: DataQuery): DataQuery {
  let { filters, named, dimensions } = query;
  const isVersus = draft.nodes.some((node) => isOp(node, 'versus'));
  const values = new Map<string, { values: string[]; negated: boolean }>();
  for (const [at, { sense }] of draft.nodes.entries()) {
    const before = notBefore(draft, at);
    const negated = before >= 0;
    if (sense?.kind === 'value') {
      const known = values.get(sense.dimension);
      values.set(sense.dimension, { values: [...(known?.values ?? []), ...sense.values], negated });
    } else if (sense?.kind === 'filter') {
      const isNegated = negated !== sense.negated;
      named = [...named.filter(({ name }) => name !== sense.name), { name: sense.name, negated: isNegated }];
    } else continue;
    draft.used.add(at);
    if (negated) draft.used.add(before);
  }
  for (const [dimension, own] of values) {
    const before = filters.find((filter) => filter.dimension === dimension && !filter.negated);
    const joined = isVersus ? [...new Set([...(before?.values ?? []), ...own.values])] : own.values;
    filters = [
      ...filters.filter((filter) => filter.dimension !== dimension),
      { dimension, values: joined, negated: own.negated },
    ];
    if (isVersus && !dimensions.includes(dimension)) dimensions = [dimension];
  }
  if (isVersus && values.size > 0)
    for (const [at, node] of draft.nodes.entries()) if (isOp(node, 'versus')) draft.used.add(at);
  return { ...query, filters, named, dimensions };
}

/** "Without shipping and packaging": a negation holds for all values of its list. */
function notBefore(draft: Draft, at: number): number {
  const place = beside(draft, at, -1, ['soft', 'place', 'verb', 'and', 'or']);
  const node = draft.nodes[place];
  if (node?.sense?.kind === 'value' && draft.nodes[at]?.sense?.kind === 'value') return notBefore(draft, place);
  return node && isOp(node, 'not') ? place : -1;
}

function editTime(draft: Draft, query: DataQuery): DataQuery {
  const periods = draft.nodes.flatMap(({ item }, at) => (item.kind === 'period' ? [{ ...item, at }] : []));
  const grain = draft.nodes.findIndex((node) => isOp(node, 'grain'));
  const op = draft.nodes[grain]?.op;
  for (const { at } of periods) draft.used.add(at);
  const [first, second] = periods;
  const isVersus = draft.nodes.some((node, at) => isOp(node, 'versus', 'compare') && draft.used.add(at));
  let next = query;
  if (first && (isVersus || second)) {
    const [a, b] = second ? [first.period, second.period] : [first.period, query.period];
    if (!b) throw new NotReadable('there is no period to compare with');
    next = { ...next, ...(a.from <= b.from ? { compare: a, period: b } : { compare: b, period: a }) };
  } else if (first) next = { ...next, period: first.period, compare: null };
  if (op?.is === 'grain') {
    draft.used.add(grain);
    next = { ...next, grain: op.grain, dimensions: [], order: null, limit: null, limit_within: null };
  }
  return next;
}

function editOrder(draft: Draft, query: DataQuery): DataQuery {
  const at = draft.nodes.findIndex((node) => isOp(node, 'most', 'sorted'));
  const number = draft.nodes.findIndex(({ item }) => item.kind === 'number' && item.sign === undefined);
  const op = draft.nodes[at]?.op;
  const limit = draft.nodes[number]?.item;
  if (op?.is !== 'most' && op?.is !== 'sorted') {
    if (limit?.kind !== 'number' || !query.order) return query;
    draft.used.add(number);
    return { ...query, limit: limit.value };
  }
  draft.used.add(at);
  if (limit?.kind === 'number') draft.used.add(number);
  if (query.dimensions.length === 0 && !query.grain) throw new NotReadable('there is nothing to rank');
  const [first] = query.measures;
  const isFlipped = op.is === 'most' && op.word === 'best' && measureOf(draft, first?.name ?? '').good === 'down';
  const direction = isFlipped ? (op.direction === 'highest' ? 'lowest' : 'highest') : op.direction;
  const count = limit?.kind === 'number' ? limit.value : op.is === 'sorted' ? null : 1;
  return { ...query, order: { by: first?.name ?? '', direction }, limit: count };
}

const toText = (one: unknown) => JSON.stringify(one);

/** "As a percentage": each row of all rows. */
function editShare(draft: Draft, query: DataQuery, previous: DataQuery | undefined): DataQuery {
  const at = draft.nodes.findIndex((node) => isOp(node, 'share'));
  if (at < 0) return query;
  draft.used.add(at);
  if (query.dimensions.length > 0 && query.filters.length === 0) return { ...query, share: 'of_group' };
  const { filters, named, numbers } = query;
  if (filters.length + named.length + numbers.length === 0) throw new NotReadable('it does not say of what');
  // "How many of them churned? In percent": the part is what the last question added.
  const isSame = previous !== undefined && previous.measures[0]?.name === query.measures[0]?.name;
  const known = isSame ? [...previous.filters, ...previous.named, ...previous.numbers].map(toText) : [];
  const split = <T>(list: readonly T[], isKnown: boolean) =>
    list.filter((one) => known.includes(toText(one)) === isKnown);
  const part = { filters: split(filters, false), named: split(named, false), numbers: split(numbers, false) };
  if (part.filters.length + part.named.length + part.numbers.length === 0)
    return { ...query, filters: [], named: [], numbers: [], share: 'of_whole', part: { filters, named, numbers } };
  const whole = { filters: split(filters, true), named: split(named, true), numbers: split(numbers, true) };
  return { ...query, ...whole, share: 'of_whole', part };
}
