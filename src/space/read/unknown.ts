import type { Item } from './items.ts';

/** Closed words after which a noun is asked for, counted, grouped by, or stands in a condition. */
const CLAIMING: readonly string[] =
  'ask list how_many how_much by each per most place not share versus average total bound and or verb'.split(' ');

export interface UnknownWords {
  /** Words without which another question would be answered. */
  blocking: string[];
  /** Words that are left out and named. */
  left: string[];
}

/** An unknown noun that carries a part of the question declines it; any other unknown word is left out and named. */
export function sortUnknown(items: readonly Item[]): UnknownWords {
  const words: UnknownWords = { blocking: [], left: [] };
  for (const [at, item] of items.entries()) {
    if (item.kind !== 'unknown') continue;
    (isBlocking(items, at) ? words.blocking : words.left).push(item.text);
  }
  return words;
}

/** A word beside a noun of the model limits it: "emerald members", "orders cancelled". */
function isName(item: Item | undefined): boolean {
  return (
    item?.kind === 'thing' &&
    item.senses.some(({ kind }) => kind === 'table' || kind === 'measure' || kind === 'dimension')
  );
}

function isBlocking(items: readonly Item[], at: number): boolean {
  const { text = '' } = items[at] ?? {};
  if (/ly$/.test(text)) return false;
  if (at > 0 && /^\p{Lu}/u.test(text)) return true;
  if (isName(items[at + 1]) || isName(items[at - 1])) return true;
  for (let place = at - 1; place >= 0; place--) {
    const item = items[place];
    if (item?.kind === 'unknown') return isBlocking(items, place);
    const op = item?.kind === 'op' ? item.op.is : item?.kind === 'thing' ? item.op?.is : undefined;
    if (op === 'soft') continue;
    if (item?.kind === 'number') return true;
    return op !== undefined && CLAIMING.includes(op);
  }
  // An order to do something: nothing stands before the verb.
  return items.slice(at + 1).some(isName);
}
