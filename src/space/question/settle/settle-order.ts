import type { Measure } from '../../model/model.ts';
import type { Draft } from '../draft-shape.ts';
import { entityNoun, measureOf, type Settling } from './settling.ts';

/** A ranking of several without a number has this many places. */
const DEFAULT_LIMIT = 10;

/** The ranking: by which measure, from which end, and how many rows. */
export function settleOrder(settling: Settling): void {
  const { draft, query, measures } = settling;
  const { most } = draft;
  if (!most) {
    if (draft.limit !== undefined) settling.problems.push(`"${draft.limit}" has no place in it`);
    if (draft.sort) sortRows(settling, draft.sort);
    return;
  }
  const ranked =
    measures.find(({ mention }) => mention?.by === 'by') ??
    measures.find(({ mention }) => (mention?.at ?? -1) >= most.at) ??
    measures[0];
  if (!ranked) return;
  if (query.dimensions.length === 0 && !query.grain) {
    if (!pickSingle(settling, ranked, most)) settling.problems.push(`"${draft.items[most.at]?.words}" of what?`);
    return;
  }
  const direction = directionOf(settling, ranked, most);
  if (draft.sort && directionOf(settling, ranked, draft.sort) !== direction)
    settling.problems.push('the order of the rows is not the one of the ranking');
  query.order = { by: ranked.name, direction, ...changeOf(settling) };
  if (draft.change === 'down') query.order.direction = direction === 'highest' ? 'lowest' : 'highest';
  settling.parts.set(most.at, settling.parts.get(most.at) ?? `${direction} first`);
  const group = draft.mentions.findLast(({ task }) => task === 'group');
  const isSingle = group ? !group.isPlural : true;
  query.limit = draft.limit ?? query.limit ?? (isSingle ? 1 : DEFAULT_LIMIT);
  settleWithin(settling);
}

const SIZE = /\b(?:biggest|largest|highest|greatest|maximum|smallest|lowest|minimum|longest|shortest)$/i;

/** "The biggest single order": the highest figure of one row, not of a group. */
function pickSingle(
  settling: Settling,
  ranked: Settling['measures'][number],
  { at, direction }: Draft['most'] & {},
): boolean {
  const { draft, measures, views } = settling;
  if (!SIZE.test(draft.items[at]?.words ?? '') || measures.length > 1) return false;
  const own = measureOf(settling, ranked);
  const all = [...(views.find(({ model }) => model.space === ranked.space)?.model.measures.values() ?? [])];
  const isColumn = (one: Measure) => ['sum', 'average'].includes(one.kind) && /^\w+$/.test(one.expressions[0] ?? '');
  const money = all.find((one) => one.table === own?.table && one.unit === 'usd' && isColumn(one));
  const measure = own?.isRowCount ? money : own;
  if (!measure || !isColumn(measure) || ranked.among !== null) return false;
  Object.assign(ranked, { name: measure.name, aggregate: direction });
  settling.parts.set(at, `${direction} ${measure.name}`);
  settling.assumptions.push(`the ${direction} ${measure.name} of a single row is meant`);
  return true;
}

/** "Which brand grew the most": the change between two periods is ranked. */
function changeOf({ draft, query }: Settling): { of?: 'change' | 'growth' } {
  if (draft.change === undefined || !query.compare) return {};
  return { of: draft.markers.has('share') ? 'growth' : 'change' };
}

/** "Revenue by region, lowest first": all rows, in this order. */
function sortRows(settling: Settling, sort: End): void {
  const { query, measures } = settling;
  const ranked = measures.find(({ mention }) => mention?.by === 'by') ?? measures[0];
  if (!ranked) return;
  if (query.dimensions.length === 0 && !query.grain) settling.problems.push('one figure has no order');
  else query.order = { by: ranked.name, direction: directionOf(settling, ranked, sort) };
}

interface End {
  direction: 'highest' | 'lowest';
  word: 'most' | 'top' | 'best';
}

function directionOf(settling: Settling, ranked: Settling['measures'][number], most: End): 'highest' | 'lowest' {
  if (most.word !== 'best') return most.direction;
  const good = measureOf(settling, ranked)?.good;
  if (good === undefined)
    settling.problems.push(
      `which end of ${ranked.name} is the ${most.direction === 'highest' ? 'best' : 'worst'} one?`,
    );
  return (good === 'down') === (most.direction === 'highest') ? 'lowest' : 'highest';
}

/** "The best category each month", "the top product in each category": the limit holds within the other group. */
function settleWithin(settling: Settling): void {
  const { draft, query } = settling;
  if (query.grain && query.dimensions.length === 1) {
    query.limit_within = 'time';
    return;
  }
  const each =
    draft.mentions.find(({ task, by }) => task === 'group' && (by === 'each' || by === 'by')) ??
    draft.mentions.find(({ task, sense }) => task === 'per' && sense.kind === 'dimension');
  if (query.dimensions.length !== 2 || !each) return;
  const name =
    each.sense.kind === 'dimension'
      ? each.sense.name
      : each.sense.kind === 'noun'
        ? entityNoun(settling, each.sense.table)
        : undefined;
  if (name === undefined) return;
  query.limit_within = name;
  query.dimensions = [name, ...query.dimensions.filter((one) => one !== name)];
}
