import type { Draft, ReadItem } from './draft-shape.ts';
import { drop, has, type Walk } from './draft-walk.ts';

/** A number is a limit, or it is compared with the measure or noun beside it. */
export function takeNumber(walk: Walk, item: Extract<ReadItem, { kind: 'number' }>, at: number): void {
  const { draft, pending } = walk;
  const compare = pending.findLast((sense) => sense.kind === 'compare');
  const next = draft.items[at + 1];
  if (!compare && item.sign === undefined && isKnownNumber(draft, at)) {
    takeAllOf(walk, item.words);
    return;
  }
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
  const isTimes = item.sign === 'times';
  const between = has(walk, 'between') ? betweenBounds(walk, item, at) : undefined;
  draft.numbers.push({
    at,
    words: item.words,
    is: between ?? (compare?.kind === 'compare' ? compare.is : 'exactly'),
    value: item.value,
    sign: item.sign,
    ...(isTimes && { isTimes }),
    ...(!compare && !between && { isBare: true }),
    ...(isBefore && { target: before }),
  });
}

/** "Between 100 and 150 dollars": the first number is the least, the second one the most. */
function betweenBounds(
  walk: Walk,
  { sign }: Extract<ReadItem, { kind: 'number' }>,
  at: number,
): 'at_least' | 'at_most' {
  const { draft } = walk;
  const last = draft.numbers.at(-1);
  const isSecond = last !== undefined && last.is === 'at_least' && draft.items.slice(last.at + 1, at).every(isAndItem);
  if (!isSecond) return 'at_least';
  last.sign ??= sign;
  drop(walk, 'between');
  return 'at_most';
}

function isAndItem(item: ReadItem): boolean {
  return item.kind === 'function' && ['and', 'filler'].includes(item.sense.kind);
}

const DEFINITE =
  /^(?:of the|all|all the|all of the|all our|of our|our|these|those|each of the|other|the other|remaining|the remaining)$/i;
const ROLE = /^(?:in|for|at|across|among|of|from|within|on|between)$/i;

/** "In the three warehouses", "of our 4 regions": the number only says how many there are. */
function isKnownNumber({ items }: Draft, at: number): boolean {
  const last = items[at - 1];
  const next = items[at + 1];
  if (last && next === undefined && /^all(?: of)?(?: the| our)?$/i.test(last.words)) return true;
  if (!last || next?.kind !== 'content') return false;
  return DEFINITE.test(last.words) || (/^the$/i.test(last.words) && ROLE.test(items[at - 2]?.words ?? ''));
}

/** Each of them is shown, unless they are taken together. */
function takeAllOf(walk: Walk, words: string): void {
  walk.draft.soft.push(words);
  if (!has(walk, 'total') && !has(walk, 'which') && !walk.draft.markers.has('total'))
    walk.pending.push({ kind: 'each' });
}

/** Only the comparison itself stands between the measure and the number. */
function isCompared({ items }: Draft, from: number, to: number): boolean {
  return items
    .slice(from + 1, to)
    .every((item) => item.kind === 'function' && ['filler', 'soft', 'compare', 'role'].includes(item.sense.kind));
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
  if (item?.kind !== 'content') return false;
  const { sense } = item;
  return sense.kind === 'noun' || sense.kind === 'dimension' || (sense.kind === 'value' && sense.nounOf !== undefined);
}
