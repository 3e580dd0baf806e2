import { entityNoun, measureOf, type Settling } from './settling.ts';

/** A ranking of several without a number has this many places. */
export const DEFAULT_LIMIT = 10;

/** The ranking: by which measure, from which end, and how many rows. */
export function settleOrder(settling: Settling): void {
  const { draft, query, measures } = settling;
  const { most } = draft;
  if (!most) {
    if (draft.limit !== undefined) settling.problems.push(`"${draft.limit}" has no place in it`);
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
  const direction = directionOf(settling, ranked);
  query.order = { by: ranked.name, direction };
  const group = draft.mentions.findLast(({ task }) => task === 'group');
  const isSingle = group ? !group.isPlural : true;
  query.limit = draft.limit ?? (isSingle ? 1 : DEFAULT_LIMIT);
  settleWithin(settling);
}

function directionOf(settling: Settling, ranked: Settling['measures'][number]): 'highest' | 'lowest' {
  const { most } = settling.draft;
  if (!most) return 'highest';
  if (most.word !== 'best') return most.direction;
  const good = measureOf(settling, ranked)?.good;
  if (good === undefined)
    settling.problems.push(`which end of ${ranked.name} is "${settling.draft.items[most.at]?.words}"?`);
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
