import type { DataQuery } from '../../schema/data-query.ts';
import type { Finding } from './finding.ts';

/** "the quarter before": counted from the last question, or from today. */
const RELATIVE =
  /\b(?:day|week|month|quarter|year)s?\s+(?:before|earlier|later|after|prior)\b|\b(?:previous|prior|preceding)\s+(?:day|week|month|quarter|year)\b|\b(?:before|after) that\b/i;
const ASKS =
  /^(?:(?:and|but|so|ok|okay|now|then|please|also)[\s,]+)*(?:what|which|who|whose|when|where|why|how|is|are|was|were|do|does|did|has|have|can|could|show|list|give|tell|name|find|compare|rank|count|calculate|top|bottom|total|average|overall)\b/i;

/** "I mean the revenue": the rest of the question was said before, and may not have been understood. */
const CORRECTS =
  /\bI\s+(?:mean|meant|was asking|asked|am asking)\b|\bI'm asking\b|^\s*(?:no|sorry|rather|actually|instead)\b/i;

interface Message {
  isEdit: boolean;
  /** The conversation has earlier turns, also if none of them was answered. */
  isLater?: boolean | undefined;
  query?: DataQuery | undefined;
}

/** "That month", "it", "there": one of several things that the last answer showed. */
const POINTS = /\b(?:that|those|these|them|they|their|theirs|it|its|there|then|same|ones?|both)\b/i;

/** A whole sentence that names what it is about. */
function isOwn(text: string, query: DataQuery | undefined): boolean {
  return ASKS.test(text.trim()) && query !== undefined && query.filters.length > 0;
}

/** Words that point at the figure itself. "The female ones" may be some of the last ones, or others beside them. */
const FIGURE = /^(?!.*\b(?:ones?|same|there|then|both)\b)/i;

/** "Same for Tops", "and the loyal ones": another value takes the place of the one before. */
const SWAPS =
  /^(?:(?:and|ok|okay|now|then|so)[\s,]+)*(?:(?:the )?same (?:for|with|in)\b|(?:the )?[\w-]+ ones\b)(?!.*\b(?:that|those|these|them|they|their|it|its|there|then)\b)/i;

/** Only the value of one condition differs, and each side has one value. */
function isSwap(base: DataQuery | undefined, query: DataQuery | undefined): boolean {
  if (!base || !query) return false;
  const { filters: before, ...rest } = base;
  const { filters: after, ...own } = query;
  const changed = after.filter((one) => !before.some((other) => textOf(other) === textOf(one)));
  const dropped = before.filter((one) => !after.some((other) => textOf(other) === textOf(one)));
  const isOne = changed.length === 1 && dropped.length === 1 && changed[0]?.dimension === dropped[0]?.dimension;
  const isSingle = [...changed, ...dropped].every(({ values, negated }) => values.length === 1 && !negated);
  return isOne && isSingle && textOf(rest) === textOf(own);
}

/** After one figure "that" can mean nothing else, as long as the same figure is asked for. */
function isOnlyFigure(base: DataQuery | undefined, query: DataQuery | undefined): boolean {
  if (!base || !query) return false;
  const isOne = base.dimensions.length === 0 && base.grain === null && base.compare === null && base.share === 'none';
  const isSingle = base.filters.every(({ values, negated }) => values.length === 1 && !negated);
  return isOne && isSingle && keepsAll(base, query);
}

/** Fields that say nothing are left out. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, one) => (one === null ? undefined : one));
}

/** "How many of those are Silver" after Gold customers: what is pointed at must not be replaced. */
function keepsAll(base: DataQuery, query: DataQuery): boolean {
  const isIn = (list: readonly unknown[], one: unknown) => list.some((other) => textOf(other) === textOf(one));
  const kinds = ['filters', 'named', 'numbers', 'having'] as const;
  const isPeriodKept = base.period === null || textOf(base.period) === textOf(query.period);
  return (
    textOf([base.measures, base.without]) === textOf([query.measures, query.without]) &&
    kinds.every((kind) => base[kind].every((one) => isIn(query[kind], one))) &&
    isPeriodKept
  );
}

/** Nothing but a figure and a period: such a fragment has its conditions from an earlier message. */
function isOpenEnded(query: DataQuery): boolean {
  return isUnlimited({ ...query, period: null }) && query.dimensions.length === 0;
}

function isUnlimited({ period, filters, named, numbers, having }: DataQuery): boolean {
  return period === null && filters.length + named.length + numbers.length + having.length === 0;
}

/**
 * Checks a message of a conversation against the query before it: words that may lean on it, and a fragment that drops
 * its conditions, are not sure. Its rules share nothing with the reading of the question.
 */
export function checkContext(
  text: string,
  earlier: readonly DataQuery[],
  { isEdit, isLater, query }: Message,
): Finding[] {
  if (CORRECTS.test(text)) return [{ level: 'unsure', text: 'it may correct an earlier question' }];
  const [base] = earlier;
  if (
    isEdit &&
    POINTS.test(text) &&
    !(FIGURE.test(text) && isOnlyFigure(base, query)) &&
    !(SWAPS.test(text) && isSwap(base, query))
  )
    return [{ level: 'unsure', text: 'it points at a part of the last answer, which may be another one' }];
  if (isLater && !base && !isEdit && !ASKS.test(text.trim()) && query && isOpenEnded(query))
    return [{ level: 'wrong', text: 'it seems to continue a question that was not answered' }];
  if (isLater && !base && !isEdit && !isOwn(text, query))
    return [{ level: 'open', text: 'it may continue a question that was not answered' }];
  const isNarrowed = query !== undefined && query.filters.length === 0 && (base?.filters.length ?? 0) > 0;
  if (isNarrowed && !isEdit)
    return [{ level: 'unsure', text: 'the conditions of the last question may hold here, too' }];
  // A question without conditions may lean on the ones of an earlier turn, whether that was answered or not.
  const isOpen = !isEdit && query !== undefined && isUnlimited(query);
  if (isOpen && (isLater || (base && !isUnlimited(base))))
    return [{ level: 'unsure', text: 'it may be about what an earlier question was limited to' }];
  if (!base) return [];
  if (base.period !== null && RELATIVE.test(text))
    return [{ level: 'unsure', text: 'the period may be counted from the one of the last question' }];
  const isNarrow = base.period !== null || base.dimensions.length > 0 || base.filters.length > 0;
  return !isEdit && isNarrow && !ASKS.test(text.trim())
    ? [{ level: 'unsure', text: 'it may continue the last question, whose conditions are left out here' }]
    : [];
}
