import type { Draft, ReadItem } from '../draft-shape.ts';
import { isSmall } from '../draft-walk.ts';
import { isFunctionWord } from '../words/function-words.ts';
import { measureOf, type Settling } from './settling.ts';

/** Holds words that are easily read over against the query: each must have had an effect, or the reading is doubtful. */
export function checkUsed(settling: Settling): void {
  checkHints(settling);
  checkVersus(settling);
  checkNeighbours(settling);
  checkWith(settling);
  checkHowMany(settling);
}

/** "Spent in total and how many orders": a number of things must be among the figures. */
function checkHowMany(settling: Settling): void {
  const { draft, measures, problems } = settling;
  if (!draft.markers.has('how_many')) return;
  const amounts = ['usd', 'percent', 'stars'];
  const isAmount = measures.every((one) => amounts.includes(measureOf(settling, one)?.unit ?? ''));
  const isCompared = settling.query.having.length > 0 || settling.query.share !== 'none';
  if (isAmount && measures.length > 0 && !isCompared && draft.change === undefined)
    problems.push('"how many" asks for a number of things');
}

/** "How many carts were left": a phrase that speaks for a measure that is not computed. */
function checkHints({ draft, measures, problems }: Settling): void {
  for (const item of draft.items) {
    if (item.kind !== 'content' || item.sense.kind !== 'hint') continue;
    const { name } = item.sense;
    const isPlain = item.words.toLowerCase().split(/\s+/).every(isFunctionWord);
    if (isPlain || measures.some((one) => one.name === name)) continue;
    problems.push(`"${item.words}" does not belong to ${measures.map((one) => one.name).join(' and ')}`);
  }
}

/** "Gold vs West": a comparison needs two values of one kind, two periods or both sides of a condition. */
function checkVersus({ draft, query, problems, assumptions, base, measures }: Settling): void {
  if (!draft.markers.has('versus') || base) return;
  if (measures.length > 1 && query.compare === null) assumptions.push('the figures are shown side by side');
  if (measures.length > 1) return;
  const isCompared =
    query.compare !== null || query.share !== 'none' || query.dimensions.length > 0 || query.grain !== null;
  if (!isCompared && query.having.length === 0) problems.push('a comparison needs two values or periods of one kind');
}

/** "Gold and West", "womens dresses": two values of different things, where both or either may be meant. */
function checkNeighbours({ draft, assumptions }: Settling): void {
  const { values, items } = draft;
  for (const [index, value] of values.entries()) {
    const next = values[index + 1];
    if (!next || next.sense.dimension === value.sense.dimension) continue;
    const between = items.slice(value.at + 1, next.at);
    const isAnd = between.length === 1 && isKind(between[0], 'and');
    const isMixed = between.length === 0 && ownerOf(value) !== ownerOf(next) && ownerOf(value) !== undefined;
    if (isAnd || (isMixed && ownerOf(next) !== undefined))
      assumptions.push(`"${value.words}" and "${next.words}" are both conditions`);
  }
}

function ownerOf({ sense }: Draft['values'][number]): string | undefined {
  return sense.nounOf;
}

/** "Stores with revenue": the things may be asked for, not the figure. */
function checkWith({ draft, query, assumptions }: Settling): void {
  if (query.dimensions.length > 0 || query.having.length > 0) return;
  for (const { at, sense, task } of draft.mentions) {
    if (sense.kind !== 'measure' || task !== 'measure') continue;
    const place = draft.items.findLastIndex((item, index) => index < at && !isFiller(item));
    const thing = draft.items[place - 1];
    const isWith = /^with$/i.test(draft.items[place]?.words ?? '');
    if (isWith && thing?.kind === 'content' && ['noun', 'value'].includes(thing.sense.kind))
      assumptions.push(`the figure of ${sense.name} is asked for, not the things`);
  }
}

function isFiller(item: ReadItem): boolean {
  return isSmall(item) && !isKind(item, 'role');
}

function isKind(item: ReadItem | undefined, kind: string): boolean {
  return item?.kind === 'function' && item.sense.kind === kind;
}
