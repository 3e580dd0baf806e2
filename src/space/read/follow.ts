import type { DataQuery, Period, ValueFilter } from '../../schema/data-query.ts';
import { canCompile } from '../sql/compile.ts';
import { NotExpressible } from '../sql/compile-scope.ts';
import {
  type Candidate,
  type Choice,
  chooseReading,
  combinationsOf,
  compileOptions,
  countsMoney,
  type Spaces,
  splitQuery,
  viewOf,
  weightOf,
} from './choose.ts';
import { createDraft, entityOf, NotReadable, rowCount } from './draft.ts';
import { type Earlier, editQuery } from './edit.ts';
import type { Item } from './items.ts';
import { endOf } from './words/calendar.ts';

interface Context {
  earlier: Earlier | undefined;
  spaces: Spaces;
  /** The conversation has turns before this one. */
  isLater: boolean;
}

const OPENING =
  /^(?:and|but|what about|how about|only|just|now|same|also|then|instead|or|vs\.?|versus|add|excluding|without|except|as|in|for|per|by|split|break|show (?:that|it|this)|make (?:that|it)|leave|sort|not)\b/i;
/** "Thanks.", "no, …": words before the question that only answer. */
const COURTESY =
  /^(?:\s*(?:(?:ok(?:ay)?|thanks|thank you|hi|hello|hey|by the way|(?:good )?(?:morning|afternoon|evening))\b[\s,.!:;–-]+|(?:no|yes|so|hm+|good|great|nice|perfect|right|fine|cool|got it|alright|well|interesting|never ?mind)\s*[,.!:;–-]+\s+))+(?=\S)/i;
/** "Different topic:", "now something else –": the last question is over. */
const TOPIC =
  /^(?:now|and|on to|back to|next)?\s*(?:an? |the )?(?:(?:different|new|another|other|next|separate) (?:topic|question|subject|thing|matter)|something (?:else|different|other|\w+er))(?: quickly| now)?\s*[,.:;–-]+\s+/i;
const ADDING = /\b(?:also|too|as well|add|plus)\b/i;

/** The message with blanks in place of words that belong to no question. */
export function withoutLead(text: string): { text: string; isFresh: boolean } {
  const blank = (lead: string) => ' '.repeat(lead.length);
  const polite = text.replace(COURTESY, blank);
  const start = polite.length - polite.trimStart().length;
  const own = polite.slice(start).replace(TOPIC, blank);
  return { text: polite.slice(0, start) + own, isFresh: own.startsWith(' ') };
}

/**
 * Reads a message that continues the last question: "and …", "what about …", "only …", a pronoun, or a fragment that
 * names neither a figure nor what to ask for. Undefined for a question of its own.
 */
export function continueQuery(text: string, said: readonly Item[], context: Context): Choice | undefined {
  const { earlier, spaces, isLater } = context;
  const items = earlier?.shown ? said.map((item, at) => toPronoun(item, said[at - 1], context)) : said;
  const pronouns = items.filter((item) => item.kind === 'op' && item.op.is === 'pronoun');
  if (/\bdifference\b|\bchange\b|\bcompare\b/i.test(text) && /\b(?:two|both|them|those|these)\b/i.test(text))
    return compareLast(earlier, spaces);
  const isFragment = isPart(items);
  const points = pronouns.length > 0 && !isOwnPronoun(items, earlier);
  const isReplacing = /\b(?:instead|rather than)\b/i.test(text);
  if (!OPENING.test(text.trim()) && !isFragment && !points && !isReplacing) return undefined;
  if (!earlier || earlier.isMissed) {
    const isBare = isLater || /^(?:and|what about|how about|same|only)\b/i.test(text.trim());
    if (points) return { candidates: [], problem: `it is not clear what "${pronouns[0]?.text}" refers to` };
    return isBare && !hasFigure(items)
      ? { candidates: [], problem: 'it is not clear which question it continues; please ask it in full' }
      : undefined;
  }
  const isWhole =
    !isReplacing &&
    hasFigure(items) &&
    hasGroup(items) &&
    !points &&
    !/^(?:and|what about|how about|only|just|same)\b/i.test(text.trim());
  if (isWhole) return undefined;
  const kept = withoutReplaced(items);
  const isTotal = /\b(?:is|was|are|were) (?:that|it)\b|\bin total\b/i.test(text);
  if (points && !isTotal && hasFigure(kept) && isPicked(earlier, spaces)) return askAbout(kept, earlier, spaces);
  const found = candidatesOf(kept, { text, earlier: timed(items, earlier), spaces });
  return found.candidates.length > 0 || points || !hasFigure(kept) ? found : undefined;
}

/** "What is the difference between the two?": the last two questions side by side, if only their periods differ. */
function compareLast(earlier: Earlier | undefined, spaces: Spaces): Choice | undefined {
  const [last] = earlier?.parts ?? [];
  const [a, b] = [last?.query.period, earlier?.previous?.period];
  const plain = (query: DataQuery | undefined) => JSON.stringify({ ...query, period: null });
  if (!last || !a || !b || plain(last.query) !== plain(earlier?.previous)) return undefined;
  const query: DataQuery = {
    ...last.query,
    ...(a.from < b.from ? { compare: a, period: b } : { compare: b, period: a }),
  };
  const draft = createDraft(spaces.merged, []);
  return { candidates: [{ parts: [{ space: last.space, query }], query, draft, score: 0 }] };
}

/** "That brand", "those products": a noun for the things that the last answer named. */
function toPronoun(item: Item, before: Item | undefined, { earlier, spaces }: Context): Item {
  const { shown } = earlier ?? {};
  const isPointed = /^(?:that|this|those|these)$/i.test(before?.text ?? '') && item.kind === 'thing';
  if (!shown || !isPointed || (shown.values.length > 1 && /^th(?:at|is)$/i.test(before?.text ?? ''))) return item;
  const { dimensions } = spaces.merged.model;
  const entity = dimensions.get(shown.dimension)?.entity;
  const isSame = item.senses.some((sense) => {
    if (sense.kind === 'dimension') return sense.name === shown.dimension;
    if (sense.kind === 'table') return sense.table === entity;
    return sense.kind === 'value' && dimensions.get(sense.dimension)?.homes.some(({ table }) => table === entity);
  });
  return isSame ? { ...item, kind: 'op', op: { is: 'pronoun' } } : item;
}

/** The last answer named some things; a breakdown by all values names none. */
function isPicked({ shown, parts }: Earlier, { merged }: Spaces): boolean {
  const [last] = parts;
  if (!shown || !last) return false;
  const isEntity = merged.model.dimensions.get(shown.dimension)?.entity !== undefined;
  return (
    last.query.limit !== null ||
    (isEntity && shown.values.length < (merged.facts.values.get(shown.dimension)?.length ?? 0))
  );
}

/** "Which product, and what is its price": the noun stands in the same question. */
function isOwnPronoun(items: readonly Item[], earlier: Earlier | undefined): boolean {
  const at = items.findIndex((item) => item.kind === 'op' && item.op.is === 'pronoun');
  const text = items[at]?.text.toLowerCase() ?? '';
  if (!/^(?:its|their|they|it|is that|was that|is it|was it)$/.test(text)) return false;
  return items.slice(0, at).some((item) => isThing(item, 'table', 'dimension', 'measure', earlier ? '' : 'value'));
}

const isThing = (item: Item, ...kinds: string[]) =>
  item.kind === 'thing' && item.senses.some(({ kind }) => kinds.includes(kind));
const isTask = (item: Item, ...kinds: string[]) => item.kind === 'op' && kinds.includes(item.op.is);

function hasFigure(items: readonly Item[]): boolean {
  return (
    items.some((item) => isThing(item, 'measure')) ||
    items.some((item, at) => isTask(item, 'how_many') && items.slice(at).some((one) => isThing(one, 'table')))
  );
}

function hasGroup(items: readonly Item[]): boolean {
  return items.some(
    (item, at) => isTask(item, 'by', 'per', 'each', 'grain') && (isTask(item, 'grain') || items[at + 1] !== undefined),
  );
}

/** Values, periods, groups or an order without a figure and without a thing that is asked for. */
function isPart(items: readonly Item[]): boolean {
  const things = items.filter((item) => item.kind !== 'op' || !['soft', 'place', 'verb'].includes(item.op.is));
  const [only, ...more] = things;
  if (!only) return false;
  const isAsk = only.kind === 'thing' && only.op?.is === 'ask';
  if (more.length === 0 && (isAsk || isThing(only, 'measure', 'value', 'filter'))) return true;
  if (hasFigure(items)) return false;
  const isTable = items.some((item) => isThing(item, 'table') && !isThing(item, 'value'));
  const asks = items.some((item) => isTask(item, 'ask', 'how_many', 'how_much', 'list'));
  if (!asks) return !isTable || hasGroup(items);
  return (
    items.some((item) => isTask(item, 'most', 'grain', 'operator')) && !items.some((item) => isThing(item, 'table'))
  );
}

/** "Revenue instead of units": the words behind it are replaced. */
function withoutReplaced(items: readonly Item[]): Item[] {
  const at = items.findIndex(({ text }) => /^(?:instead|rather)$/i.test(text));
  if (at < 0) return [...items];
  const isOf = /^(?:of|than)$/i.test(items[at + 1]?.text ?? '');
  return items.filter((_, place) => place !== at && !(isOf && place > at && place <= at + 3));
}

/** "In that month": the month that the last answer found. */
function timed(items: readonly Item[], earlier: Earlier): Earlier {
  const points = items.some(
    (item) => isTask(item, 'pronoun') && /\b(?:month|day|quarter|week|time|year|then)$/i.test(item.text),
  );
  const { shownTime } = earlier;
  if (!points || shownTime === undefined || !/^\d{4}-\d\d$/.test(shownTime)) return earlier;
  const from = `${shownTime}-01`;
  const period: Period = { from, to: endOf('month', from), words: shownTime };
  return {
    ...earlier,
    parts: earlier.parts.map((part) => ({
      ...part,
      query: { ...part.query, period, grain: null, order: null, limit: null },
    })),
  };
}

/** "What is their stock?": another figure of the things that the last answer showed. */
function askAbout(items: readonly Item[], { shown, parts }: Earlier, spaces: Spaces): Choice {
  const rest = items.filter((item) => !isTask(item, 'pronoun') && !/^(?:and|only|but)$/i.test(item.text));
  const choice = chooseReading(rest, spaces);
  if (!shown) return choice;
  const filter = only(shown, shown.values);
  const period = parts[0]?.query.period ?? null;
  const candidates = choice.candidates.flatMap((candidate) => {
    const own = candidate.parts.map(({ space, query }) => ({
      space,
      query: pointed(query, filter, period, { spaces, space }),
    }));
    return own.every(({ space, query }) => canCompile(query, compileOptions(spaces, space)))
      ? [{ ...candidate, parts: own, query: own[0]?.query ?? candidate.query }]
      : [];
  });
  return { candidates, problem: `${shown.dimension} does not belong to that` };
}

interface Owner {
  spaces: Spaces;
  space: string;
}

function pointed(query: DataQuery, filter: ValueFilter, period: Period | null, { spaces, space }: Owner): DataQuery {
  const { model } = viewOf(spaces.views, space);
  const [first] = query.measures;
  const table = model.tables.get(first?.among ?? model.measures.get(first?.name ?? '')?.table ?? '');
  const isTimed = table?.time !== undefined && !table.snapshot && table.label === undefined;
  const isGrouped = query.dimensions.length > 0 || query.grain !== null || filter.values.length === 1;
  return {
    ...query,
    filters: [...query.filters, filter],
    dimensions: isGrouped ? query.dimensions : [filter.dimension],
    period: query.period ?? (isTimed ? period : null),
  };
}

/** "The first one", "which of those", "how many of them": the last question for the things that its answer showed. */
function pointAt(last: DataQuery, said: readonly Item[], { earlier, spaces }: Omit<Continued, 'text'>) {
  const view = spaces.merged;
  const { shown = { dimension: '', values: [] } } = earlier;
  const others = last.filters.filter(({ dimension }) => dimension !== shown.dimension);
  const plain = { ...last, order: null, limit: null };
  const at = said.findIndex((item, index) => PLACES.test(item.text) && /^ones?$/i.test(said[index + 1]?.text ?? ''));
  const value = shown.values.at(/last/i.test(said[at]?.text ?? '') ? -1 : 0);
  if (at >= 0 && value !== undefined)
    return { base: { ...plain, filters: [...others, only(shown, [value])] }, items: said.filter((_, i) => i !== at) };
  const [first] = last.measures;
  const counted = view.model.measures.get(first?.name ?? '');
  const points = said.some((item) => isTask(item, 'pronoun'));
  const listed = counted?.isRowCount && last.dimensions.length === 0 ? entityOf({ view }, counted.table) : undefined;
  if (points && listed !== undefined && /^which/i.test(said[0]?.text ?? ''))
    return { base: { ...last, dimensions: [listed] }, items: said };
  const entity = view.model.dimensions.get(shown.dimension)?.entity;
  const rows = rowCount({ view }, entity ?? '');
  if (!points || !rows || !said.some((item) => isTask(item, 'how_many'))) return { base: last, items: said };
  const among = first?.among ?? (counted?.table === entity ? null : (counted?.table ?? null));
  const measures = [{ name: rows.name, aggregate: null, among }];
  const filters = [...others, only(shown, shown.values)];
  return { base: { ...plain, measures, filters, dimensions: [], having: [] }, items: said };
}

const PLACES = /^(?:the )?(?:first|last)$/i;

function only({ dimension }: { dimension: string }, values: readonly string[]): ValueFilter {
  return { dimension, values: [...values], negated: false };
}

interface Continued {
  text: string;
  earlier: Earlier;
  spaces: Spaces;
}

/** The last query with the parts that the message names changed. */
function candidatesOf(said: readonly Item[], { text, earlier, spaces }: Continued): Choice {
  const [last] = earlier.parts;
  if (!last) return { candidates: [] };
  const whole: DataQuery = { ...last.query, measures: earlier.parts.flatMap(({ query }) => query.measures) };
  const { base, items } = pointAt(whole, said, { earlier, spaces });
  const found: Candidate[] = [];
  let problem: string | undefined;
  for (const nodes of combinationsOf(items)) {
    try {
      const draft = createDraft(spaces.merged, nodes);
      const query = editQuery(draft, base, { isAdded: ADDING.test(text), earlier, last: whole });
      const parts = splitQuery(query, spaces);
      for (const { space, query: own } of parts)
        if (!canCompile(own, compileOptions(spaces, space))) throw new NotReadable('it does not fit the last question');
      const score = nodes.reduce((sum, node) => sum + weightOf(node), 0) - draft.penalty - countsMoney(draft, query);
      found.push({ parts, query, draft, score });
    } catch (error) {
      if (!(error instanceof NotReadable) && !(error instanceof NotExpressible)) throw error;
      problem ??= error.message;
    }
  }
  return { candidates: found.toSorted((a, b) => b.score - a.score), problem };
}
