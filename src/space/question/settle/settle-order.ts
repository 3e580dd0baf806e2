import { entityNoun, measureOf, type Settling } from './settling.ts';

/** A ranking of several without a number has this many places. */
export const DEFAULT_LIMIT = 10;

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
    settling.problems.push(`"${draft.items[most.at]?.words}" of what?`);
    return;
  }
  const direction = directionOf(settling, ranked, most);
  if (draft.sort && directionOf(settling, ranked, draft.sort) !== direction)
    settling.problems.push('the order of the rows is not the one of the ranking');
  query.order = { by: ranked.name, direction };
  const group = draft.mentions.findLast(({ task }) => task === 'group');
  const isSingle = group ? !group.isPlural : true;
  query.limit = draft.limit ?? (isSingle ? 1 : DEFAULT_LIMIT);
  settleWithin(settling);
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
  const each = draft.mentions.find(({ task, by }) => task === 'group' && (by === 'each' || by === 'by'));
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
