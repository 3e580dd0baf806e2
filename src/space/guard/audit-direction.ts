import type { Measure } from '../model/model.ts';
import { type AuditedPart, type Finding, unsure, wrong } from './finding.ts';

const LOW = /\b(?:fewest|lowest|smallest|bottom|minimum|cheapest|shortest|fastest|quickest|rarely|(?<!at )least)\b/i;
const HIGH = /\b(?:highest|largest|biggest|greatest|top|maximum|longest|slowest|priciest|(?<!at )most(?! rarely))\b/i;
const GOOD = /\b(?:best|worst|strongest|weakest|poorest)(?:[- ]rated)?\b/i;
const HIGH_FIRST =
  /\b(?:(?:highest|largest|biggest|greatest|most|longest) (?:first|to (?:lowest|smallest|least|fewest|shortest))|descending)\b/i;
const LOW_FIRST =
  /\b(?:(?:lowest|smallest|least|fewest|shortest) (?:first|to (?:highest|largest|biggest|greatest|most|longest))|ascending)\b/i;
const GOOD_FIRST = /\b(?:best|worst|weakest) (?:first|to (?:best|worst|strongest))\b/i;

/** "Highest first" sorts the rows, also beside a ranking of the same direction. */
export function auditSorted(text: string, parts: readonly AuditedPart[]): Finding[] {
  const orders = parts.flatMap(({ query }) => query.order ?? []);
  const isSorted = [HIGH_FIRST, LOW_FIRST, GOOD_FIRST].some((form) => form.test(text));
  if (isSorted && orders.length === 0) return [wrong('the question asks for an order')];
  const isOther =
    (HIGH_FIRST.test(text) && orders.some(({ direction }) => direction !== 'highest')) ||
    (LOW_FIRST.test(text) && orders.some(({ direction }) => direction !== 'lowest'));
  if (isOther) return [wrong('the question asks for the other order')];
  const good = GOOD_FIRST.exec(text)?.[0];
  const [ranked] = parts.filter(({ query }) => query.order);
  if (good !== undefined && ranked?.query.order) {
    const { by, direction } = ranked.query.order;
    return auditGood(/^best/i.test(good), direction, ranked.model.measures.get(by));
  }
  const rest = [HIGH_FIRST, LOW_FIRST, GOOD_FIRST].reduce((left, form) => left.replace(form, ' '), text);
  return auditDirection(rest, parts, isSorted);
}

function auditDirection(text: string, parts: readonly AuditedPart[], isSorted: boolean): Finding[] {
  const ranked = parts.find(({ query }) => query.order);
  const order = ranked?.query.order;
  const measure = ranked?.model.measures.get(order?.by ?? '');
  const isLow = LOW.test(text);
  const isHigh = HIGH.test(text);
  const good = GOOD.exec(text)?.[0];
  const isSingle = parts.some(({ query }) =>
    query.measures.some(({ aggregate }) => aggregate === (isLow ? 'lowest' : 'highest')),
  );
  if (isSingle && !order) return [];
  // "Fell the most" asks for the lowest change.
  if (order?.of != null) return [unsure('the change between two periods is ranked')];
  if (!order) return isLow || isHigh || good ? [wrong('the question asks for one end of a ranking')] : [];
  const directions = new Set(parts.flatMap(({ query }) => query.order?.direction ?? []));
  if (isSorted && !isLow && !isHigh && !good) return [];
  if (isLow && isHigh && !good && directions.size === 1) return [wrong('the question asks for both ends of a ranking')];
  if (isLow && !isHigh && order.direction !== 'lowest' && !good) return [wrong('the question asks for the lowest')];
  if (isHigh && !isLow && order.direction !== 'highest' && !good) return [wrong('the question asks for the highest')];
  if (good && !isLow && !isHigh) return auditGood(/^(?:best|strong)/i.test(good), order.direction, measure);
  return [];
}

function auditGood(isBest: boolean, direction: string, measure: Measure | undefined): Finding[] {
  const high = [...(measure?.high ?? []), ...(measure?.low ?? [])].length > 0 && measure?.good === undefined;
  if (measure?.good === undefined) return high ? [] : [unsure('which end is the best one is not known')];
  const wanted = (measure.good === 'up') === isBest ? 'highest' : 'lowest';
  return direction === wanted ? [] : [wrong(`the question asks for the ${wanted}`)];
}
