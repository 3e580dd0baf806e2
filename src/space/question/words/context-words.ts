import type { FunctionSense } from './function-words.ts';
import type { Item } from './item.ts';

const FILLER: FunctionSense = { kind: 'filler' };

/**
 * Gives a task to the words that have one only beside others: "only" beside a value, "develop" beside a month. A word
 * that finds none becomes unknown, so that it is named.
 */
export function settleContext(items: readonly Item[], isEdit = false): Item[] {
  const settled: Item[] = [];
  for (const [at, item] of items.entries()) {
    if (item.kind !== 'function') settled.push(item);
    else settled.push(settleOne(items, settled, { item, at, isEdit }));
  }
  return dropCorrected(settled, items);
}

type FunctionItem = Extract<Item, { kind: 'function' }>;

function settleOne(
  items: readonly Item[],
  before: readonly Item[],
  { item, at, isEdit }: { item: FunctionItem; at: number; isEdit: boolean },
): Item {
  const { sense } = item;
  const next = neighbour(items, at, 1);
  if (sense.kind !== 'context') return settlePlain(items, { item, at, isEdit }, next);
  switch (sense.rule) {
    case 'only':
      if (next?.kind === 'number') return as(item, { kind: 'compare', is: 'exactly' });
      return [next, neighbour(items, at, -1)].some(isCondition) ? as(item, FILLER) : unknown(item);
    case 'first':
      return isExtreme(neighbour(items, at, -1)) ? as(item, FILLER) : unknown(item);
    case 'edge':
      return isAtEdge(items, at) ? as(item, FILLER) : unknown(item);
    case 'how':
      return items.some((other) => isKind(other, 'by', 'grain', 'versus', 'contrast') || isRule(other, 'course')) ||
        items.filter(({ kind }) => kind === 'period').length > 1
        ? as(item, FILLER)
        : unknown(item);
    case 'course':
      return items.some((other) => isKind(other, 'grain'))
        ? as(item, FILLER)
        : as(item, { kind: 'grain', grain: 'month', isTrend: true });
    case 'split':
      return items.slice(at).some((other) => isKind(other, 'by', 'grain')) ? as(item, FILLER) : unknown(item);
    case 'particle':
      return isKind(next, 'by', 'grain') && before.some((other) => /^(?:break|split|divide|divvy)/i.test(other.words))
        ? as(item, FILLER)
        : unknown(item);
    case 'unit':
      return isKind(neighbour(items, at, -1), 'most') || joinsGroups(items, at)
        ? as(item, { kind: 'grain', grain: unitOf(item) })
        : unknown(item);
    case 'ago': {
      // "Back in March": only the period counts.
      if (next?.kind === 'period' && /^back$/i.test(item.words)) return as(item, FILLER);
      const last = neighbour(items, at, -1);
      return last?.kind === 'number' && last.sign === 'days' ? as(item, FILLER) : unknown(item);
    }
    case 'together':
      return isNoun(neighbour(items, at, -1)) && before.some(({ words }) => /\ball\b/i.test(words))
        ? as(item, { kind: 'total' })
        : unknown(item);
    case 'single':
      return isKind(neighbour(items, at, -1), 'most', 'which', 'not', 'each', 'by') ? as(item, FILLER) : unknown(item);
    case 'distinct':
      return isKind(neighbour(items, at, -1), 'how_many', 'list', 'which') ? as(item, FILLER) : unknown(item);
    case 'reverse':
      return isEdit ? as(item, { kind: 'reversed' }) : unknown(item);
    case 'share_verb':
      return items.some((other) => isKind(other, 'share')) ? as(item, FILLER) : unknown(item);
    case 'that_time':
      return isEdit ||
        before.some(({ kind }) => kind === 'period') ||
        (/^then$/i.test(item.words) && isAtEdge(items, at))
        ? as(item, FILLER)
        : unknown(item);
    case 'rival':
      return opposesTwo(items, at) ? as(item, { kind: 'rival' }) : unknown(item);
    // The words have another sense together: "on order" is what has not arrived.
    case 'idiom':
      return unknown(item);
    case 'mean':
      return item;
  }
}

/** "More revenue, East or West", "more than in May": two sides of one kind; "how many more" asks for a difference. */
function opposesTwo(items: readonly Item[], at: number): boolean {
  if (isKind(items[at - 1], 'how_many', 'how_much')) return false;
  const places = items.flatMap((item, place) => (isKind(item, 'or', 'versus') ? [place] : []));
  const dimensionsOf = (item: Item | undefined) =>
    item?.kind === 'content' ? item.senses.flatMap((sense) => (sense.kind === 'value' ? [sense.dimension] : [])) : [];
  return places.some((place) => {
    const before = items.slice(0, place);
    const after = items.slice(place + 1);
    const isPeriods = before.some(({ kind }) => kind === 'period') && after.some(({ kind }) => kind === 'period');
    const known = before.flatMap(dimensionsOf);
    return isPeriods || after.flatMap(dimensionsOf).some((dimension) => known.includes(dimension));
  });
}

/** Words of grammar whose task also depends on others. */
function settlePlain(
  items: readonly Item[],
  { item, at, isEdit }: { item: FunctionItem; at: number; isEdit: boolean },
  next: Item | undefined,
): Item {
  const { sense } = item;
  if (sense.kind === 'pronoun' && /^(?:the )?ones?$/i.test(item.words)) {
    // "Active ones": the noun was named before.
    if (/ones$/i.test(item.words) && isCondition(items[at - 1])) return as(item, { kind: 'soft' });
    return isNoun(next) ? as(item, FILLER) : item;
  }
  // "All locations but the warehouses".
  const isAll = items
    .slice(Math.max(0, at - 3), at)
    .some(({ words }) => /\b(?:all|every|everything|everyone)\b/i.test(words));
  if (sense.kind === 'soft' && /^but$/i.test(item.words) && isAll && isOnlyKind(next, 'value'))
    return as(item, { kind: 'not' });
  // "In each of the last three months", "in which of the last 12 months".
  const unit = isKind(item, 'by', 'each', 'which') ? unitsOf(items[at + 1]) : undefined;
  if (unit !== undefined) return as(item, { kind: 'grain', grain: unit });
  // "Reviews by churned customers": what is limited by a condition did it, and is no group.
  const isLimited = isOnlyKind(items[at + 1], 'filter') || isOnlyKind(items[at + 1], 'value');
  if (sense.kind === 'by' && /^by$/i.test(item.words) && isLimited && isThing(items[at + 2]))
    return as(item, { kind: 'role' });
  // "Orders by Gold members", "by women".
  if (sense.kind === 'by' && /^by$/i.test(item.words) && isPeopleValue(items[at + 1]))
    return as(item, { kind: 'role' });
  // "Lost by theft": before a value it is no group.
  if (sense.kind === 'by' && /^by$/i.test(item.words) && isOnlyValue(next)) return as(item, { kind: 'role' });
  if (sense.kind === 'contrast') return hasTwo(items) ? as(item, { kind: 'list' }) : unknown(item);
  if (sense.kind === 'role' && /^(?:with|to)$/i.test(item.words))
    return opposes(items, at) ? as(item, { kind: 'versus' }) : item;
  if (sense.kind === 'how_many')
    return next === undefined || isKind(next, 'and') || item.isStop ? as(item, { kind: 'count_back' }) : item;
  if (sense.kind === 'other' || sense.kind === 'absolute') return isEdit ? item : unknown(item);
  if (sense.kind === 'change') {
    if (comparesPeriods(items) || isEdit) return item;
    // "The difference between East and West": both are shown.
    return /^(?:the )?difference/i.test(item.words) && hasTwoValues(items)
      ? as(item, { kind: 'rival' })
      : unknown(item);
  }
  return item;
}

/** "Who is on top, I mean which region …": words before it that name nothing were only an attempt. */
function dropCorrected(settled: readonly Item[], items: readonly Item[]): Item[] {
  const at = items.findIndex((item) => isRule(item, 'mean'));
  if (at < 0) return [...settled];
  const isEmpty = settled.slice(0, at).every(({ kind }) => kind === 'function');
  return settled.map((item, index) => {
    if (index === at) return isEmpty ? as(item, FILLER) : unknown(item);
    return index < at && isEmpty ? as(item, FILLER) : item;
  });
}

function as({ words, start, end, isStop }: Item, sense: FunctionSense): Item {
  return { kind: 'function', sense, words, start, end, ...(isStop && { isStop }) };
}

function unknown({ words, start, end, isStop }: Item): Item {
  return { kind: 'unknown', words, start, end, ...(isStop && { isStop }) };
}

function isKind(item: Item | undefined, ...kinds: FunctionSense['kind'][]): boolean {
  return item?.kind === 'function' && kinds.includes(item.sense.kind);
}

function isRule(item: Item | undefined, rule: string): boolean {
  return item?.kind === 'function' && item.sense.kind === 'context' && item.sense.rule === rule;
}

/** The next item in a direction that is no filler and no preposition. */
function neighbour(items: readonly Item[], at: number, step: 1 | -1): Item | undefined {
  for (let index = at + step; index >= 0 && index < items.length; index += step) {
    const item = items[index];
    if (!isKind(item, 'filler', 'role', 'soft')) return item;
  }
  return undefined;
}

/** "By campaign and month": the unit is a second group. */
function joinsGroups(items: readonly Item[], at: number): boolean {
  const isJoined = isKind(items[at - 1], 'and') || items[at - 1]?.isStop === true;
  return isJoined && items.slice(0, at).some((item) => isKind(item, 'by', 'per', 'each'));
}

function isAtEdge(items: readonly Item[], at: number): boolean {
  return neighbour(items, at, 1) === undefined || neighbour(items, at, -1) === undefined;
}

function isOnlyKind(item: Item | undefined, kind: string): boolean {
  return item?.kind === 'content' && item.senses.every((sense) => sense.kind === kind);
}

function isOnlyValue(item: Item | undefined): boolean {
  return item?.kind === 'content' && item.senses.every((sense) => sense.kind === 'value' && sense.nounOf === undefined);
}

/** "Most expensive first". */
function isExtreme(item: Item | undefined): boolean {
  return item?.kind === 'content' && item.senses.some((sense) => sense.kind === 'measure' && sense.end !== undefined);
}

function isNoun(item: Item | undefined): boolean {
  return item?.kind === 'content' && item.senses.some(({ kind }) => kind === 'noun' || kind === 'dimension');
}

function isPeopleValue(item: Item | undefined): boolean {
  return item?.kind === 'content' && item.senses.every((sense) => sense.kind === 'value' && sense.isPeople === true);
}

function isThing(item: Item | undefined): boolean {
  return item?.kind === 'content' && item.senses.some(({ kind }) => kind === 'noun');
}

function isCondition(item: Item | undefined): boolean {
  if (item?.kind === 'period') return true;
  const kinds = ['value', 'filter', 'dimension'];
  return item?.kind === 'content' && item.senses.some(({ kind }) => kinds.includes(kind));
}

/** A comparison needs two things: two periods, two values, or groups. */
function hasTwo(items: readonly Item[]): boolean {
  const values = items.filter((item) => item.kind === 'content' && item.senses.some(({ kind }) => kind === 'value'));
  const periods = items.filter(({ kind }) => kind === 'period');
  return (
    Math.max(values.length, periods.length) > 1 || items.some((item) => isKind(item, 'by', 'grain', 'and', 'each'))
  );
}

/** Two values of one dimension. */
function hasTwoValues(items: readonly Item[]): boolean {
  const dimensions = items.flatMap((item) =>
    item.kind === 'content'
      ? item.senses.flatMap((sense) => (sense.kind === 'value' ? [sense.dimension] : [])).slice(0, 1)
      : [],
  );
  return dimensions.some((one, at) => dimensions.indexOf(one) !== at);
}

/** A change needs two periods, or one that is compared. */
function comparesPeriods(items: readonly Item[]): boolean {
  const periods = items.filter(({ kind }) => kind === 'period').length;
  return periods > 1 || (periods === 1 && items.some((item) => isKind(item, 'versus')));
}

/** "Compare May with June": between two periods or values "with" sets them side by side. */
function opposes(items: readonly Item[], at: number): boolean {
  const start = items.findIndex((item) => isKind(item, 'contrast'));
  if (start < 0 || start > at) return false;
  const isSide = (item: Item) =>
    item.kind === 'period' || (item.kind === 'content' && item.senses.some(({ kind }) => kind === 'value'));
  return items.slice(0, at).some(isSide) && items.slice(at).some(isSide);
}

/** The unit of a period of several: of the last three months. */
function unitsOf(item: Item | undefined): 'day' | 'week' | 'month' | 'quarter' | 'year' | undefined {
  const word =
    item?.kind === 'period' ? /^(?:of )?the .*\b(day|week|month|quarter|year)s$/i.exec(item.words)?.[1] : undefined;
  return word === undefined ? undefined : unitOf({ words: word });
}

function unitOf({ words }: Pick<Item, 'words'>): 'day' | 'week' | 'month' | 'quarter' | 'year' {
  const found = (['day', 'week', 'month', 'quarter', 'year'] as const).find((unit) => unit === words.toLowerCase());
  return found ?? 'month';
}
