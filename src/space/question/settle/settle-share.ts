import type { Conditions } from '../../../schema/data-query.ts';
import type { Measure } from '../../model/model.ts';
import type { Draft } from '../draft-shape.ts';
import { countNameOf, measureOf, type Settling, viewOf } from './settling.ts';

/** Divides the conditions of a share into those of the whole and those of the part. */
export function settleShare(settling: Settling): void {
  const { draft, query } = settling;
  if (!draft.markers.has('share') || draft.change !== undefined || query.share !== 'none') return;
  const [first] = settling.measures;
  const measure = first && measureOf(settling, first);
  if (measure?.unit === 'percent') return;
  const isLimited = measure?.kind === 'count' && Object.keys(measure.where).length > 0;
  const verb = copulaOf(draft, isLimited ? first?.mention?.at : undefined);
  if (verb === undefined && measure && first && splitCondition(settling, first, measure)) return;
  const conditions = query.filters.length + query.named.length + query.having.length + query.numbers.length;
  if (query.dimensions.length > 0 && conditions === 0) {
    query.share = 'of_group';
    return;
  }
  const isPart = partOf(settling, first?.mention?.at, verb);
  const part = takePart(settling, isPart, verb);
  const isCounted = measure?.isRowCount === true && (query.having.length > 0 || query.without !== null);
  if (part.filters.length + part.named.length + part.numbers.length === 0 && !isCounted) {
    settling.problems.push('a share needs the part that it is of');
    return;
  }
  query.share = 'of_whole';
  query.part = part;
  query.filters = query.filters.filter((one) => !part.filters.includes(one));
  query.named = query.named.filter((one) => !part.named.includes(one));
  query.numbers = query.numbers.filter((one) => !part.numbers.includes(one));
}

function takePart({ draft, query }: Settling, isPart: (at: number) => boolean, verb: number | undefined): Conditions {
  const isWhole = verb !== undefined && draft.numbers.every(({ at }) => at < verb);
  const part: Conditions = { filters: [], named: [], numbers: isWhole ? [] : [...query.numbers] };
  for (const { at, sense } of draft.values) {
    const found = query.filters.find(
      ({ dimension, values }) => dimension === sense.dimension && values.includes(sense.value),
    );
    if (isPart(at) && found && !part.filters.includes(found)) part.filters.push(found);
  }
  for (const { at, sense } of draft.filters) {
    const found = query.named.find(({ name }) => name === sense.name);
    if (isPart(at) && found) part.named.push(found);
  }
  return part;
}

/** Returns a test for the conditions of the part: those behind the noun, unless "among" names the whole. */
function partOf(settling: Settling, noun: number | undefined, verb: number | undefined): (at: number) => boolean {
  const { draft } = settling;
  const share = draft.items.findIndex((item) => item.kind === 'function' && item.sense.kind === 'share');
  const among = draft.items.findIndex(
    (item, at) =>
      item.kind === 'function' && (AMONG.test(item.words) || (at === 0 && share > 0 && /^of\b/i.test(item.words))),
  );
  const conditions = [...draft.values, ...draft.filters].map(({ at }) => at);
  if (among >= 0) {
    const isWhole = (at: number) => (among < share ? at > among && at < share : at > among);
    return (at) => !isWhole(at);
  }
  if (verb !== undefined) return (at) => at > verb || at < share;
  // "Share of churned that are bronze": without a noun, the first condition is the whole.
  const after = conditions.filter((at) => at > share);
  const whole = after.length > 1 ? Math.min(...after) : 0;
  const place = noun ?? whole;
  if (noun === undefined && whole > 0) settling.assumptions.push(`the whole is "${draft.items[whole]?.words}"`);
  // "Footwear % of revenue": before the word for a share stands the part, too.
  const isPart = (at: number) => at > place || at < share;
  const hasWhole = conditions.some((at) => !isPart(at));
  if (hasWhole && !conditions.filter(isPart).every((at) => isPredicate(draft, place, at)))
    settling.assumptions.push('the condition before the noun is taken as the whole, the one behind it as the part');
  return isPart;
}

const COPULA =
  /^(?:is|are|was|were|has|have|had|come from|came from|comes from|come through|came through|comes through|belong to|belongs to)$/i;

/** "What share of the customers in the West are Gold": conditions before the verb are the whole, those behind it the part. */
function copulaOf({ items, values, filters, numbers }: Draft, limited: number | undefined): number | undefined {
  const share = items.findIndex((item) => item.kind === 'function' && item.sense.kind === 'share');
  const conditions = [
    ...[...values, ...filters, ...numbers].map(({ at }) => at),
    ...(limited === undefined ? [] : [limited]),
  ];
  if (share < 0 || conditions.length < 2) return undefined;
  const found = items.findIndex((item, at) => {
    const isVerb = item.kind === 'function' ? COPULA.test(item.words) : isWritten(item);
    const isRelative = /^(?:that|who|which)$/i.test(items[at - 1]?.words ?? '');
    const hasWhole = conditions.some((place) => place > share && place < at);
    return isVerb && !isRelative && hasWhole && conditions.some((place) => place > at);
  });
  return found < 0 ? undefined : found;
}

/** A verb of the rows, such as "live" or "written". */
function isWritten(item: Draft['items'][number]): boolean {
  return item.kind === 'content' && item.sense.kind === 'verb';
}

const AMONG = /^(?:among|out of|within)$/i;
const PREDICATE = /^(?:is|are|was|were|be|been|have|has|had|that|who|which|did|do|does|get|got|that are|that were)\b/i;

/** "Customers that are churned", "carts were recovered": a verb stands between the noun and the condition. */
function isPredicate({ items }: Draft, noun: number, at: number): boolean {
  return items
    .slice(noun + 1, at)
    .some((item) => PREDICATE.test(item.words) || (item.kind === 'content' && item.sense.kind === 'verb'));
}

/** "Percentage of negative reviews": the part is the measure's own condition, the whole are all rows of its table. */
function splitCondition(settling: Settling, first: Settling['measures'][number], measure: Measure): boolean {
  const model = viewOf(settling, first.space)?.model;
  const [[column, value] = []] = Object.entries(measure.where);
  const whole = countNameOf(settling, measure.table);
  if (measure.kind !== 'count' || !model || column === undefined || whole === undefined) return false;
  const home = [...model.dimensions.values()].find(({ homes }) =>
    homes.some((one) => one.table === measure.table && one.column === column),
  );
  if (!home || Object.keys(measure.where).length > 1) return false;
  settling.query.share = 'of_whole';
  settling.query.part = {
    filters: [{ dimension: home.name, values: [String(value)], negated: false }],
    named: [],
    numbers: [],
  };
  first.name = whole;
  const { filters, named, numbers } = settling.query;
  if (filters.length + named.length + numbers.length > 0)
    settling.assumptions.push(`the share of ${measure.name} among all ${measure.table.replaceAll('_', ' ')}`);
  return true;
}
