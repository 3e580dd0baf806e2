import type { Draft, ReadItem } from './draft-shape.ts';
import { drop, has, type Walk } from './draft-walk.ts';

/** A number is a limit, or it is compared with the measure or noun beside it. */
export function takeNumber(walk: Walk, item: Extract<ReadItem, { kind: 'number' }>, at: number): void {
  const { draft, pending } = walk;
  const compare = pending.findLast((sense) => sense.kind === 'compare');
  const next = draft.items[at + 1];
  const isLimit =
    has(walk, 'most') || (draft.items.some(isMostItem) && (isNounItem(next) || (next && isMostItem(next))) && !compare);
  if (compare?.kind !== 'compare' && isLimit && item.sign === undefined) {
    if (draft.limit !== undefined) draft.problems.push(item.words);
    draft.limit = item.value;
    return;
  }
  drop(walk, 'compare');
  // "a price above $100": the measure right before the comparison is its target, not a figure of its own.
  const before = draft.mentions.at(-1);
  const isBefore =
    compare && before?.sense.kind === 'measure' && isCompared(draft, before.at, at) && !isMeasureItem(next);
  if (isBefore) before.task = 'having';
  const isTimes = next?.kind === 'unknown' && /^times?$/i.test(next.words);
  draft.numbers.push({
    at,
    words: item.words,
    is: compare?.kind === 'compare' ? compare.is : 'exactly',
    value: item.value,
    sign: item.sign,
    ...(isTimes && { isTimes }),
    ...(isBefore && { target: before }),
  });
}

/** Only the comparison itself stands between the measure and the number. */
function isCompared({ items }: Draft, from: number, to: number): boolean {
  return items
    .slice(from + 1, to)
    .every((item) => item.kind === 'function' && ['filler', 'compare', 'role'].includes(item.sense.kind));
}

function isMeasureItem(item: ReadItem | undefined): boolean {
  return item?.kind === 'content' && item.sense.kind === 'measure';
}

function isMostItem(item: ReadItem): boolean {
  return (
    (item.kind === 'function' && item.sense.kind === 'most') ||
    (item.kind === 'content' && item.sense.kind === 'measure' && item.sense.end !== undefined)
  );
}

function isNounItem(item: ReadItem | undefined): boolean {
  return item?.kind === 'content' && (item.sense.kind === 'noun' || item.sense.kind === 'dimension');
}
