import type { Item } from './items.ts';

/** Closed words after which a noun is asked for, counted, grouped by, or stands in a condition. */
const CLAIMING: readonly string[] =
  'ask list how_many how_much by each per most place not share versus average total bound and or verb'.split(' ');

/** Closed words that a sentence without a question mark asks with. */
const ASKING: readonly string[] = 'ask list how_many how_much most share'.split(' ');

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

/**
 * Takes away sentences with unknown words that ask nothing beside one that asks: "I have a meeting at ten. What …?".
 * Values stay: "A customer wants Marlow Boots. How many do we have?".
 */
export function withoutAsides(text: string, items: readonly Item[]): { items: Item[]; asides: string[] } {
  const sentences = [...text.matchAll(/\S(?:[^.?!\n]|[.?!](?=\S))*[.?!]*/g)].map((match) => {
    const end = match.index + match[0].length;
    const own = items.filter(({ start }) => start >= match.index && start < end);
    const [first] = own;
    const op = first?.kind === 'op' || first?.kind === 'thing' ? first.op?.is : undefined;
    const asks = match[0].includes('?') || (!/^i\b/i.test(match[0]) && ASKING.includes(op ?? ''));
    const isAside = !asks && own.some(({ kind }) => kind === 'unknown');
    return { said: match[0].replace(/[\s.!]+$/, ''), own, isAside };
  });
  if (sentences.every(({ isAside }) => isAside)) return { items: [...items], asides: [] };
  const isValue = (item: Item) =>
    item.kind === 'thing' && item.senses.some(({ kind, weight }) => kind === 'value' && weight > 2);
  return {
    items: sentences.flatMap(({ own, isAside }) => (isAside ? own.filter(isValue) : own)),
    asides: sentences.flatMap(({ said, isAside }) => (isAside ? [said] : [])),
  };
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
