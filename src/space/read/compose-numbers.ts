import type { Comparison } from '../../schema/data-query.ts';
import type { Measure } from '../model/model.ts';
import { canReach } from '../model/resolve.ts';
import { type Bound, baseTable, beside, type Draft, isOp, measureOf, NotReadable, rowCount } from './draft.ts';

/** Every number is a limit or a bound. One that is neither makes the question unreadable. */
export function composeNumbers(draft: Draft): void {
  for (const [at, { item }] of draft.nodes.entries()) {
    if (item.kind !== 'number' || draft.used.has(at)) continue;
    if (isLimit(draft, at)) {
      draft.limit = item.value;
      draft.used.add(at);
      continue;
    }
    const comparison = comparisonAt(draft, at);
    if (!comparison) throw new NotReadable(`it is not clear what ${item.text} is for`);
    draft.used.add(at);
    applyBound(draft, { at, comparison, value: item.value, item });
  }
}

/** "Top 5 products", "the 3 best stores", "5 most expensive items". */
function isLimit(draft: Draft, at: number): boolean {
  const { item } = draft.nodes[at] ?? {};
  if (item?.kind !== 'number' || item.sign !== undefined || !Number.isInteger(item.value) || item.value < 1)
    return false;
  const [before, next] = [draft.nodes[at - 1], draft.nodes[at + 1]];
  const isEnd = (node: Draft['nodes'][number] | undefined) =>
    node !== undefined && (isOp(node, 'most') || (node.sense?.kind === 'measure' && node.sense.end !== undefined));
  if (isEnd(before) || isEnd(next)) return true;
  // "Which 5 products have the most", "show 5 customers with the highest".
  const isAsked = draft.asked !== undefined && draft.asked.at > at && draft.asked.at - at <= 2;
  return isAsked && draft.nodes.some((node) => isEnd(node)) && !(before && isOp(before, 'bound', 'between'));
}

function comparisonAt(draft: Draft, at: number): Comparison | undefined {
  const next = draft.nodes[at + 1];
  if (next?.op?.is === 'bound_after') {
    draft.used.add(at + 1);
    return next.op.comparison;
  }
  const before = beside(draft, at, -1, ['soft', 'verb']);
  const node = draft.nodes[before];
  if (node?.op?.is === 'bound') {
    draft.used.add(before);
    return node.op.comparison;
  }
  if (node?.op?.is === 'between') {
    draft.used.add(before);
    return 'at_least';
  }
  const low = draft.nodes[before];
  if (
    low &&
    isOp(low, 'and') &&
    draft.nodes[beside(draft, beside(draft, before, -1), -1, ['soft'])]?.op?.is === 'between'
  )
    return 'at_most';
  // "5-star reviews", "with 3 orders": the number itself.
  const { item } = draft.nodes[at] ?? {};
  const isPlain =
    item?.kind === 'number' &&
    (item.sign === 'stars' || item.sign === 'times' || measureBeside(draft, at) !== undefined);
  return isPlain ? 'exactly' : undefined;
}

const SIGNS: Readonly<Record<string, readonly string[]>> = { '%': ['percent'], days: ['days'], stars: ['stars'] };

function applyBound(draft: Draft, bound: Bound): void {
  const base = baseTable(draft);
  const measure = measureBeside(draft, bound.at) ?? measureBySign(draft, bound, base);
  if (!measure) throw new NotReadable(`it is not clear what ${bound.item.text} compares`);
  const { item } = bound;
  const isRate = measure.unit === 'percent';
  const value = isRate ? bound.value / 100 : bound.value;
  // "Have not ordered for more than 180 days" is the figure alone.
  if (item.sign === 'days' && measure.table === draft.counted?.table)
    draft.bound = draft.bound.filter(({ isNegated }) => !isNegated);
  const isRows = measure.table === base && isColumn(measure) && !isGroupBound(draft, measure);
  if (isRows) {
    const column = `${measure.table}.${measure.expressions[0]}`;
    draft.conditions.numbers.push({ column, is: bound.comparison, value });
    draft.places.push({ at: bound.at, kind: 'numbers', index: draft.conditions.numbers.length - 1 });
    return;
  }
  const target = draft.counted ?? draft.asked ?? draft.groups[0];
  if (!target) throw new NotReadable('it does not say whose figure is compared');
  draft.having.push({ measure: measure.name, is: bound.comparison, value });
  draft.places.push({ at: bound.at, kind: 'having', index: draft.having.length - 1 });
}

const isColumn = ({ expressions, kind }: Measure) =>
  kind !== 'ratio' && kind !== 'share' && /^\w+$/.test(expressions[0] ?? '');

/** "Stores with a stock above 5,000" compares the figure of each group; "orders above $200" single rows. */
function isGroupBound(draft: Draft, measure: Measure): boolean {
  const target = draft.asked ?? draft.groups[0];
  return target !== undefined && target.table !== measure.table;
}

/** The figure beside the bound: "rating below 3", "more than 5 orders". */
function measureBeside(draft: Draft, at: number): Measure | undefined {
  const { item } = draft.nodes[at] ?? {};
  const [bound] = draft.bound;
  const count = bound && rowCount(draft, bound.table);
  if (item?.kind === 'number' && item.sign === 'times') return count && claim(draft, bound.at, count);
  for (let place = at + 1; place <= at + 4 && place < draft.nodes.length; place++) {
    const node = draft.nodes[place];
    const behind = figureAt(draft, place);
    if (behind && fits(draft, behind, at)) return claim(draft, place, behind);
    const isPassed =
      node &&
      (isOp(node, 'soft', 'place', 'bound_after', 'distinct') ||
        node.sense?.kind === 'filter' ||
        node.sense?.kind === 'value');
    if (!isPassed) break;
  }
  for (let place = at - 1, steps = 0; place >= 0 && steps < 5; place--, steps++) {
    const found = draft.nodes[place]?.sense?.kind === 'measure' ? figureAt(draft, place) : undefined;
    if (found && fits(draft, found, at)) return claim(draft, place, found);
  }
  return undefined;
}

/** An amount of money compares money; a figure in other data compares nothing here. */
function fits(draft: Draft, { currency, table }: Measure, at: number): boolean {
  const { item } = draft.nodes[at] ?? {};
  if (item?.kind === 'number' && item.sign === '$' && currency === undefined) return false;
  const target = draft.counted?.table ?? draft.asked?.table;
  return target === undefined || target === table || canReach(draft.view.model, table, target);
}

function claim(draft: Draft, place: number, measure: Measure): Measure {
  draft.used.add(place);
  draft.bound = draft.bound.filter(({ at }) => at !== place);
  // A figure that only bounds is not asked for, and the rows of its table are not counted.
  for (const one of draft.measures) if (one.at !== place && one.among === measure.table) one.among = null;
  return measure;
}

function figureAt(draft: Draft, place: number): Measure | undefined {
  const { sense } = draft.nodes[place] ?? {};
  if (sense?.kind === 'measure') return measureOf(draft, sense.name);
  const isTarget = place === draft.asked?.at || place === draft.counted?.at;
  const before = draft.nodes[place - 1]?.item;
  const isVerb = !/s$/i.test(draft.nodes[place]?.item.text ?? '') && before?.kind === 'number' && before.value !== 1;
  return sense?.kind === 'table' && !isTarget && !isVerb ? rowCount(draft, sense.table) : undefined;
}

/** "Orders above $200": the figure of these rows, or of their entity, that has this unit. */
function measureBySign(draft: Draft, { item, at }: Bound, base: string): Measure | undefined {
  const all = [...draft.view.model.measures.values()].filter(({ isRowCount }) => !isRowCount);
  const pair = draft.nodes[at + 2]?.item;
  const sign = item.sign ?? (pair?.kind === 'number' ? pair.sign : undefined);
  const units = sign === '$' ? undefined : SIGNS[sign ?? ''];
  const fits = all.filter(({ unit, currency }) => (sign === '$' ? currency !== undefined : units?.includes(unit)));
  if (sign === undefined) return undefined;
  const entity = draft.counted?.table ?? draft.asked?.table ?? '';
  return (
    fits.find((one) => one.table === base && isColumn(one) && Object.keys(one.where).length === 0) ??
    fits.find((one) => canReach(draft.view.model, one.table, entity))
  );
}
