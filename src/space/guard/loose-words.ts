import { contentStems } from '../../language/words.ts';
import type { DataQuery } from '../../schema/data-query.ts';
import { type AuditedPart, type Finding, open, unsure } from './finding.ts';

/** Words for the size of one thing, which a count or an average does not answer. */
const SIZE =
  /\b(?:biggest|largest|smallest|longest|shortest|tiniest)\s+(?!(?:on|in|for|time|total|number|share|average)\b)\p{L}/iu;
/** A limit on a number: what it limits depends on the words around it. */
const THRESHOLD =
  /\b(?:over|above|under|below|exceeding|beyond|(?:more|less|fewer|greater|higher|lower|older|younger) than|at (?:least|most)|up to)\s+(?:[$€£]\s?)?\d/i;
/** Words that change a period or add it up. */
const PERIOD =
  /\b(?:as (?:of|at)|week (?:of|beginning|starting|ending|commencing)|cumulative(?:ly)?|running total|accumulated|(?:year|month|quarter|to) (?:to )?date|ytd|mtd)\b/i;
const TO_DAY = /\bto (?:the )?\d{1,2}\b/i;
const FROM = /\b(?:from|between|since)\b/i;
const WENT = /\bleft (?:the|our|this)\b|\bleft \p{Lu}/u;
const EACH = /\b(?:in|for|per|by|of) each\b/i;
const HOW_MANY = /\bhow many\s+((?:[\p{L}-]+\s*){1,2})/iu;

/** Wordings that hostile questions used to get a figure for another question. They are answered, never with high confidence. */
export function findLooseWords(text: string, parts: readonly AuditedPart[]): Finding[] {
  const queries = parts.map(({ query }) => query);
  if (parts.some((part) => isVerified(text, part))) return [];
  return [
    ...(SIZE.test(text) ? [unsure('the size of one of them may be meant')] : []),
    ...(THRESHOLD.test(text) && !queries.every(isListByFigure)
      ? [unsure('the limit may be about something else')]
      : []),
    ...(PERIOD.test(text) || (TO_DAY.test(text) && !FROM.test(text)) ? [unsure('another period may be meant')] : []),
    ...(queries.some(({ grain }) => grain === 'week') ? [unsure('the weeks may begin on another day')] : []),
    ...(queries.some((query) => lacksOthers(text, query)) ? [unsure('only some of what is missing may be meant')] : []),
    ...(WENT.test(text) ? [unsure('"left" may mean that they went away')] : []),
    ...(EACH.test(text) && queries.some(isShortList) ? [open('one of each may be meant')] : []),
    ...(parts.some((part) => countsOthers(text, part)) ? [unsure('other things may be counted')] : []),
  ];
}

/** The author of the model has stated what these very words mean. */
function isVerified(text: string, { model }: AuditedPart): boolean {
  const plain = (words: string) =>
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}$]+/gu, ' ')
      .trim();
  return model.verified.some(({ ask }) => plain(ask) === plain(text));
}

/** "Which brands made more than 400,000": a list of groups whose own figure is limited. */
function isListByFigure({ dimensions, having, numbers }: DataQuery): boolean {
  return dimensions.length > 0 && having.length > 0 && numbers.length === 0;
}

const LACKING = /\b(?:no|without|zero)\s+(?:any\s+)?(\p{L}+)/iu;

/** "Products with no complaints": products without any review would be another answer. */
function lacksOthers(text: string, { without }: DataQuery): boolean {
  const [, noun] = LACKING.exec(text) ?? [];
  if (without === null || noun === undefined) return false;
  const missing = contentStems(JSON.stringify(without));
  return !contentStems(noun).some((word) => missing.includes(word));
}

function isShortList({ dimensions, limit, limit_within: within }: DataQuery): boolean {
  return (limit !== null || within !== null) && dimensions.length < 2;
}

/** "How many VIPs placed an order": people are asked for, and orders would be counted. */
function countsOthers(text: string, { query }: AuditedPart): boolean {
  const [, asked] = HOW_MANY.exec(text) ?? [];
  const [measure] = query.measures;
  if (asked === undefined || !measure || !/^number of /i.test(measure.name)) return false;
  const counted = contentStems(measure.name.replace(/^number of /i, ''));
  const isSaid = (words: string) => contentStems(words).some((word) => counted.includes(word));
  return isSaid(text) && !isSaid(asked);
}
