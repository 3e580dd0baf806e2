import type { Conditions } from '../../schema/data-query.ts';
import { beside, claimComparison, type Draft, findOp, isOp, measureOf, NotReadable, rowCount } from './draft.ts';

const NONE: Conditions = { filters: [], named: [], numbers: [] };

/** "What share of customers | has churned": the conditions behind the verb are the part, those before it the whole. */
export function composeShare(draft: Draft): void {
  const at = findOp(draft, 'share');
  if (at < 0) return;
  for (const [place, node] of draft.nodes.entries()) if (isOp(node, 'share')) draft.used.add(place);
  // "By what percentage did revenue change" is shown beside the change itself.
  if (draft.compare && findOp(draft, 'change') >= 0) return;
  if (draft.compare) throw new NotReadable('a share is given for one period');
  if (draft.limit !== null) throw new NotReadable('a share of the first rows is not computed');
  const [first] = draft.measures;
  if (first && measureOf(draft, first.name).unit === 'percent') return;
  if (first && draft.places.length === 0 && partOfRows(draft, first)) return;
  if (draft.groups.length > 0 || draft.asked) {
    if (draft.places.length === 0) draft.share = 'of_group';
    if (draft.share === 'of_group') return;
  }
  if (draft.having.length > 0 || draft.without) throw new NotReadable('it says its part with a number');
  const verb = draft.nodes.findIndex((node, place) => place > at + 1 && isOp(node, 'verb'));
  const edge = Math.max(verb, at);
  const behind = draft.places.filter((place) => place.at > edge);
  const isPart = ({ at: place }: Draft['places'][number]) => behind.length === 0 || place > edge;
  const part = draft.places.filter((place) => isPart(place) && !isWholeNoun(draft, place.at));
  if (part.length === 0) throw new NotReadable('it does not say which part');
  draft.part = pick(draft, (place) => part.includes(place));
  draft.conditions = pick(draft, (place) => !part.includes(place));
  draft.share = 'of_whole';
}

/** "The share of negative reviews": rows that the figure counts, of all rows of its table. */
function partOfRows(draft: Draft, counted: Draft['measures'][number]): boolean {
  const { kind, where, table } = measureOf(draft, counted.name);
  const rows = rowCount(draft, table);
  const [[column, value] = ['', ''], ...more] = Object.entries(where);
  const dimension = [...draft.view.model.dimensions.values()].find(({ homes }) =>
    homes.some((home) => home.table === table && home.column === column),
  );
  if (kind !== 'count' || !rows || !dimension || more.length > 0 || draft.measures.length > 1) return false;
  draft.measures = [{ ...counted, name: rows.name }];
  if (draft.order) draft.order = { ...draft.order, by: rows.name };
  draft.part = { ...NONE, filters: [{ dimension: dimension.name, values: [String(value)], negated: false }] };
  draft.share = 'of_whole';
  return true;
}

/** "What share of *stores*": the value is the noun of the whole. */
function isWholeNoun(draft: Draft, at: number): boolean {
  return draft.counted?.at === at;
}

function pick({ conditions, places }: Draft, isIn: (place: Draft['places'][number]) => boolean): Conditions {
  const of = <K extends keyof Conditions>(kind: K) =>
    conditions[kind].filter((_, index) =>
      places.some((place) => place.kind === kind && place.index === index && isIn(place)),
    );
  return {
    ...NONE,
    filters: of('filters') as Conditions['filters'],
    named: of('named') as Conditions['named'],
    numbers: of('numbers') as Conditions['numbers'],
  };
}

/** "Bad reviews but sell well": two figures of the same things, ordered by the first. */
export function composeBut(draft: Draft): void {
  const at = draft.nodes.findIndex(({ item }) => /^but$/i.test(item.text));
  const [first, second] = draft.measures;
  if (at < 0 || !first || !second || draft.nodes[beside(draft, at, 1)]?.sense?.kind !== 'measure' || !draft.asked)
    return;
  draft.used.add(at);
  draft.order = { by: first.name, direction: 'highest' };
  draft.limit = 10;
  draft.notes.push(`the first 10 by ${first.name}, each with its ${second.name}`);
}

/** Two values of one dimension that are compared are shown beside each other. */
export function composeVersus(draft: Draft): void {
  if (draft.compare) return;
  const pairs = draft.conditions.filters.filter(({ values, negated }) => values.length > 1 && !negated);
  // "Lower than active ones" compares with no number.
  const isThan = (node: Draft['nodes'][number], at: number) =>
    isOp(node, 'bound') && / than$/i.test(node.item.text) && !draft.used.has(at);
  const isCompared = draft.nodes.some((node, at) => isOp(node, 'versus', 'compare') || isThan(node, at));
  if (isCompared && besideRest(draft)) return;
  const isMore = draft.nodes.some(({ item }) => /^(?:more|less|better|worse|higher|lower|bigger)$/i.test(item.text));
  const isJoined = draft.nodes.some((node, at) => isOp(node, 'and') && isBetweenValues(draft, at));
  // "Did the app beat the website": two values without "or" are two sides.
  const isEither = draft.nodes.some((node) => isOp(node, 'or')) || draft.share !== 'none';
  const isSides =
    !isEither &&
    draft.nodes.filter(({ sense }) => sense?.kind === 'value' && sense.dimension === pairs[0]?.dimension).length > 1;
  if (!isCompared && !isMore && !isJoined && !isSides) return;
  const [pair] = pairs;
  if (!pair) {
    if (isCompared && draft.groups.length === 0 && !draft.asked)
      throw new NotReadable('it names only one side of the comparison');
    for (const [at, node] of draft.nodes.entries()) if (isOp(node, 'compare')) draft.used.add(at);
    return;
  }
  for (const [at, node] of draft.nodes.entries()) if (isThan(node, at)) draft.used.add(at);
  claimComparison(draft, 'versus', 'compare', 'and', 'between');
  const isKnown = [...draft.groups, draft.asked].some((one) => one?.dimension === pair.dimension);
  const [first] = draft.measures;
  if (first?.among !== null && first?.among !== undefined) throw new NotReadable('it asks for those that have both');
  if (!isKnown && draft.share === 'none') draft.groups.push({ at: -1, dimension: pair.dimension, isPlural: true });
}

/** "Online against store": a value that is the other side of a named condition. */
function sameSide({ conditions, view }: Draft, name: string): Draft['conditions']['filters'][number] | undefined {
  const filter = view.model.filters.get(name);
  return conditions.filters.find(({ dimension, values }) => {
    const homes = view.model.dimensions.get(dimension)?.homes ?? [];
    const isSame = homes.some(({ table, column }) => filter?.columns?.includes(`${table}.${column}`));
    return isSame && values.length === 1 && values[0] === String(filter?.is);
  });
}

/** "Churned against active customers": the rows under a condition beside all the others. */
function besideRest(draft: Draft): boolean {
  const [only] = draft.conditions.named;
  const sides = only && sameSide(draft, only.name);
  if (only && sides) {
    const filters = draft.conditions.filters.filter((filter) => filter !== sides);
    draft.conditions = { ...draft.conditions, filters, named: [only, { ...only, negated: !only.negated }] };
  }
  const { named } = draft.conditions;
  const [one] = named;
  const isPair =
    one &&
    named.length === 2 &&
    named.every(({ name }) => name === one.name) &&
    named[0]?.negated !== named[1]?.negated;
  if (!isPair || draft.share !== 'none' || draft.measures.length > 1) return false;
  draft.part = { filters: [], named: [one], numbers: [] };
  draft.conditions = { ...draft.conditions, named: [] };
  draft.share = 'beside_rest';
  claimComparison(draft, 'versus', 'compare', 'bound', 'and');
  return true;
}

function isBetweenValues(draft: Draft, at: number): boolean {
  const [before, next] = [draft.nodes[beside(draft, at, -1)], draft.nodes[beside(draft, at, 1)]];
  return (
    before?.sense?.kind === 'value' && next?.sense?.kind === 'value' && before.sense.dimension === next.sense.dimension
  );
}
