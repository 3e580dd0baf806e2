import { takeNumber } from './draft-numbers.ts';
import type { Draft, Marker, Mention, ReadItem } from './draft-shape.ts';
import { taskOf } from './draft-task.ts';
import { drop, has, isBeside, isNot, isSmall, type Walk } from './draft-walk.ts';
import type { FunctionSense } from './words/function-words.ts';

const YES_NO = /^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b/i;
const STRONG: ReadonlySet<Marker> = new Set([
  'how_many',
  'how_much',
  'share',
  'average',
  'total',
  'which',
  'list',
  'by',
  'per',
  'each',
  'most',
  'not',
  'compare',
  'between',
  'versus',
]);

/** Walks the items from left to right and gives each noun the task that stands before it. */
export function makeDraft(items: readonly ReadItem[], text: string, { isEdit = false } = {}): Draft {
  const kinds = items.flatMap((item) => (item.kind === 'function' ? [item.sense.kind] : []));
  const draft: Draft = {
    asksWhat: /^(?:(?:and|so|ok)[\s,]+)*what(?:'s|s| is| are| was| were)\b/i.test(text.trim()),
    mentions: [],
    values: [],
    filters: [],
    numbers: [],
    verbs: [],
    light: [],
    periods: [],
    isNow: false,
    isCurrent: false,
    isYesNo: YES_NO.test(text.trim()),
    asksObject: /^what (?:do|does|did)\b|^what (?:are|were|was|is) [\w\s]*(?:\babout\b\s*[?.]?$|ing about\b)/i.test(
      text.trim(),
    ),
    markers: new Set(kinds),
    soft: [],
    pronouns: [],
    references: [],
    problems: [],
    items,
  };
  const walk: Walk = { draft, pending: [], last: undefined, role: undefined, joinsGroup: false, isEdit };
  for (const [at, item] of items.entries()) step(walk, item, at);
  countBackwards(walk);
  bindDimensions(draft);
  return draft;
}

function step(walk: Walk, item: ReadItem, at: number): void {
  switch (item.kind) {
    case 'function':
      takeMarker(walk, item.sense, item.words, at);
      break;
    case 'period':
      walk.draft.periods.push({
        at,
        period: item.period,
        isDoubtful: item.isDoubtful,
        isCompared: has(walk, 'versus'),
      });
      drop(walk, 'versus');
      break;
    case 'number':
      takeNumber(walk, item, at);
      break;
    case 'content':
      takeContent(walk, item, at);
      break;
    case 'unknown':
      break;
  }
  if (item.kind === 'function' && (item.sense.kind === 'filler' || item.sense.kind === 'soft')) return;
  walk.joinsGroup = item.kind === 'function' && item.sense.kind === 'and' && isGrouping(walk);
  walk.last = item;
}

function isGrouping({ last, draft }: Walk): boolean {
  if (last?.kind === 'function')
    return last.sense.kind === 'grain' && /^(?:by|per|each|for each|every)\b/i.test(last.words);
  const mention = draft.mentions.at(-1);
  return last?.kind === 'content' && mention?.words === last.words && mention.task === 'group' && mention.by === 'by';
}

function takeMarker(walk: Walk, sense: FunctionSense, words: string, at: number): void {
  const { draft } = walk;
  // "Customers who bought", "products that cost": after a noun these words only join a condition to it.
  const isRelative = (sense.kind === 'which' || sense.kind === 'pronoun') && isRelativeWord(walk, words, at);
  if (isRelative) return;
  if (sense.kind === 'which') draft.asks ??= sense.asks;
  if (sense.kind === 'grain') draft.grain ??= { grain: sense.grain, isTrend: sense.isTrend ?? false, words };
  if (
    sense.kind === 'now' &&
    /^(?:right now|now|still|currently|at the moment|today|at present|as of now|as of today)$/i.test(words)
  )
    draft.isNow = true;
  if (sense.kind === 'now' && /^current$/i.test(words)) draft.isCurrent = true;
  if (sense.kind === 'most') takeMost(draft, { at, direction: sense.direction, word: sense.word });
  if (sense.kind === 'not' && /^nothing$/i.test(words) && negateLast(walk)) return;
  if (sense.kind === 'change') draft.change ??= sense.is;
  if (sense.kind === 'soft' || sense.kind === 'rival') draft.soft.push(words);
  if (sense.kind === 'sorted') draft.sort ??= sense;
  if (sense.kind === 'pronoun') takePronoun(walk, words);
  if (sense.kind === 'role') walk.role = words.toLowerCase();
  if (sense.kind === 'or_more') {
    const last = draft.numbers.at(-1);
    if (last) Object.assign(last, { is: sense.is, isBare: false });
    else draft.problems.push(words);
  }
  const isHead = ['how_many', 'how_much', 'how_long', 'share', 'which', 'list', 'average', 'total'].includes(
    sense.kind,
  );
  if (isHead) draft.head ??= sense.kind;
  // "How often do customers order" counts what happens, not the noun behind it.
  if (STRONG.has(sense.kind) && !/^how (?:often|many times)\b/i.test(words)) walk.pending.push(sense);
}

/** "Products that sold nothing": the negation stands behind its verb. */
function negateLast({ draft, last }: Walk): boolean {
  const mention = draft.mentions.at(-1);
  if (last?.kind !== 'content' || mention?.sense.kind !== 'measure' || mention.words !== last.words) return false;
  if (mention.sense.strength !== 'verb') return false;
  mention.task = 'without';
  return true;
}

/** "Our worst month, the one with the lowest rating": the second end says which one the first means. */
function takeMost(draft: Draft, most: NonNullable<Draft['most']>): void {
  const isExplained = draft.most?.word === 'best' && most.word === 'most' && draft.mentions.length === 0;
  if (isExplained || !draft.most) draft.most = most;
}

/** "The top products and their stock": what it points at stands before it in the same sentence. */
function takePronoun({ draft, isEdit }: Walk, words: string): void {
  const isPointing = /^(?:their|them|they|those|these|it|its)$/i.test(words);
  if (isPointing && !isEdit && draft.mentions.length > 0) draft.references.push(words);
  else draft.pronouns.push(words);
}

/** "Orders above $200, how many?", "Stores with stock, count": the count is asked for at the end. */
function countBackwards({ draft }: Walk): void {
  if (!draft.markers.has('count_back') || draft.mentions.some(({ task }) => task === 'count')) return;
  const noun = draft.mentions.find(
    ({ sense, task }) => sense.kind === 'noun' && !sense.isActor && (task === 'group' || task === 'loose'),
  );
  if (noun) Object.assign(noun, { task: 'count', by: 'how_many' });
}

/** "Which" begins a question of its own behind a comma or a value; "that" and "who" join a condition to any content. */
function isRelativeWord({ draft, last }: Walk, words: string, at: number): boolean {
  if (/^(?:who|that)$/i.test(words)) return last?.kind === 'content' && hasMore(draft, at);
  return /^which$/i.test(words) && last?.kind === 'content' && last.sense.kind === 'noun' && last.sense.isEntity;
}

/** "How many carts is that": at the end of a sentence "that" joins nothing. */
function hasMore({ items }: Draft, at: number): boolean {
  return items.slice(at + 1).some(({ kind }) => kind !== 'function' && kind !== 'period');
}

function takeContent(walk: Walk, item: Extract<ReadItem, { kind: 'content' }>, at: number): void {
  const { draft } = walk;
  const { sense, words } = item;
  const negated = has(walk, 'not');
  switch (sense.kind) {
    case 'value':
      if (draft.values.some((other) => other.sense.dimension === sense.dimension)) drop(walk, 'versus');
      draft.values.push({ at, words, sense, negated: negated && !leavesScope(walk, at), role: walk.role });
      walk.role = undefined;
      if (sense.nounOf !== undefined && standsAlone(draft, at)) takeValueNoun(walk, { at, words, table: sense.nounOf });
      return;
    case 'hint':
      return;
    case 'filter':
      draft.filters.push({ at, words, sense, negated: negated !== sense.negated });
      drop(walk, 'not');
      return;
    case 'verb':
      if (sense.isLight) {
        draft.light.push({ at, words, table: sense.table });
        return;
      }
      draft.verbs.push({ at, words, table: sense.table, negated });
      drop(walk, 'not');
      return;
    default:
      takeMention(walk, { at, words, sense });
  }
}

/** "Without stores in the West": a "not" holds for the values that "and", "or" or a comma join, and ends behind them. */
function leavesScope(walk: Walk, at: number): boolean {
  const { draft } = walk;
  const start = draft.items.findLastIndex((item, place) => place < at && isNot(item));
  const last = draft.values.at(-1);
  if (!last?.negated || last.at < start) return false;
  const between = draft.items.slice(last.at + 1, at);
  const isJoined = between.every(
    (item) => item.kind === 'function' && ['and', 'or', 'filler', 'soft', 'not'].includes(item.sense.kind),
  );
  if (isJoined) return false;
  drop(walk, 'not');
  return true;
}

const NOUN_MARKERS: readonly Marker[] = ['which', 'how_many', 'share', 'list', 'by', 'each', 'most', 'per'];

/** "Which stores", "how many women": a value that names the rows themselves, unless a noun follows it. */
function standsAlone({ items }: Draft, at: number): boolean {
  const next = items[at + 1];
  if (next?.kind !== 'content') return true;
  return ['verb', 'filter', 'measure', 'hint'].includes(next.sense.kind);
}

function takeValueNoun(walk: Walk, { at, words, table }: { at: number; words: string; table: string }): void {
  const isFirst = walk.draft.mentions.every(({ sense }) => sense.kind === 'measure' && sense.end !== undefined);
  const isRanked = isFirst && (walk.draft.mentions.length > 0 || walk.draft.items.some(isMost));
  // "Excluding Outerwear, which category …": what is excluded is not ranked.
  if (isRanked && has(walk, 'not')) return;
  if (!isRanked && !NOUN_MARKERS.some((kind) => has(walk, kind))) return;
  takeMention(walk, { at, words, sense: { kind: 'noun', table, isEntity: true, isActor: false, isValue: true } });
}

/** "Store with the fewest stockouts": the first noun of a ranking is what is ranked. */
function isMost(item: ReadItem): boolean {
  return item.kind === 'function' && item.sense.kind === 'most';
}

function takeMention(walk: Walk, { at, words, sense }: Pick<Mention, 'at' | 'words' | 'sense'>): void {
  const { draft } = walk;
  const mention: Mention = { at, words, sense, isPlural: isPlural(words), ...taskOf(walk, sense) };
  if (sense.kind === 'measure' && sense.end) {
    draft.most ??= { at, direction: sense.end === 'high' ? 'highest' : 'lowest', word: 'most' };
  }
  if (has(walk, 'average')) mention.average = true;
  if (has(walk, 'total')) mention.total = true;
  const number = draft.numbers.at(-1);
  // A number compares the noun right behind it, or the measure right before it.
  if (number && number.target === undefined && number.sign === undefined && number.at === at - 1) {
    number.target = mention;
    // "Between 5 and 8 orders": both bounds are of the same noun.
    const pair = draft.numbers.at(-2);
    if (pair && number.is === 'at_most' && pair.is === 'at_least' && pair.at === number.at - 2) pair.target ??= mention;
    mention.task = sense.kind === 'measure' || sense.kind === 'noun' ? 'having' : mention.task;
  }
  draft.mentions.push(mention);
  // "best selling products": a verb before the noun leaves the noun's task as it is.
  if (sense.kind !== 'measure' || sense.strength !== 'verb') walk.pending = keptMarkers(walk, mention);
}

/** "not counting theme Price" excludes the value; "May with the revenue in June" compares the periods. */
function keptMarkers({ draft, pending }: Walk, { sense, at }: Mention): FunctionSense[] {
  const next = draft.items.slice(at + 1).find((item) => !isSmall(item));
  const isBound =
    sense.kind === 'dimension' &&
    next?.kind === 'content' &&
    next.sense.kind === 'value' &&
    next.sense.dimension === sense.name;
  return pending.filter(({ kind }) => (kind === 'not' && isBound) || (kind === 'versus' && draft.periods.length > 0));
}

function isPlural(words: string): boolean {
  return /s$/i.test(words.trim()) && !/ss$/i.test(words.trim());
}

/** "Gold tier", "the West region": a dimension beside one of its values only says which column is meant. */
function bindDimensions(draft: Draft): void {
  for (const mention of draft.mentions) {
    if (mention.sense.kind !== 'dimension') continue;
    const { name } = mention.sense;
    const beside = draft.values.find(({ at, sense }) => sense.dimension === name && isBeside(draft, at, mention.at));
    if (beside && mention.by !== 'by' && mention.by !== 'each') mention.task = 'bound';
  }
}
