import { aliasesOf } from '../../../language/aliases.ts';
import type { Quantity } from '../../../language/quantities.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type Candidate, SURE } from './candidate.ts';
import type { MessageValues } from './values/message-values.ts';

/** The kind of thing that a number measures: a length of time is no price. */
type Measure = 'time' | 'money' | 'weight' | 'length' | 'volume' | 'heat' | 'share' | 'size';

const UNITS: readonly [measure: Measure, units: RegExp][] = [
  ['time', /^(?:second|sec|minute|min|hour|hr|h|day|night|week|month|year)s?$/],
  ['money', /^(?:euro|eur|dollar|usd|buck|pound|gbp|quid|franc|chf|yen|cent|price|cost|budget|fee|fare)s?$/],
  ['weight', /^(?:kg|kilo|kilogram|g|gram|mg|milligram|lb|ounce|oz|tonne|weight|grams?)s?$/],
  ['length', /^(?:km|kilometer|kilometre|m|meter|metre|mile|mi|cm|mm|foot|feet|ft|inch|distance|radius)(?:e?s)?$/],
  ['volume', /^(?:l|liter|litre|ml|milliliter|millilitre|cup|gallon)s?$/],
  ['heat', /^(?:degree|celsius|fahrenheit|c|f|temperature|°)s?$/],
  ['share', /^(?:%|percent|percentage)$/],
  ['size', /^(?:px|pixel|mb|gb|kb)s?$/],
];

function measureOf(words: readonly string[]): Measure | undefined {
  return UNITS.find(([, units]) => words.some((word) => units.test(word)))?.[0];
}

/** "Duration in minutes", "Minutes": the description says the unit if the name does not. */
function measuredBy({ words, meaning }: ArgumentProfile): Measure | undefined {
  const named = measureOf(words);
  if (named) return named;
  const said = /\bin (?:degrees )?([a-z°%]+)\b|\. ([a-z%°]+)\.?$/.exec(meaning);
  return measureOf([said?.[1] ?? said?.[2] ?? '']);
}

/** True if the unit of a number is of another sort than the argument measures: "30 minutes" and `max_price`. */
export function isOtherMeasure({ unit, at }: Quantity, profile: ArgumentProfile, text: string): boolean {
  const said = measureOf([unit]) ?? (/[$€£]/.test(text[at] ?? '') ? 'money' : undefined);
  const own = measuredBy(profile);
  // A pound is money and a weight, and "a" counts nothing.
  return said !== undefined && own !== undefined && said !== own && !/^(?:pound|c|f|m|l|g|h)$/.test(unit);
}

/** True if the unit is another name of the argument's: "kilos" and `kg`, "degrees" and `celsius`. */
export function isSameUnit(unit: string, { words }: ArgumentProfile): boolean {
  if (unit === '') return false;
  if (/^(?:degree|°|c)$/.test(unit)) return words.some((word) => /^(?:celsius|temperature|temp|degrees|c)$/.test(word));
  const names = new Set([...aliasesOf(unit), ...aliasesOf(`${unit}s`)]);
  return words.some((word) => word.length > 1 && names.has(word));
}

const BOUNDS = {
  max: /^(?:max|maximum|under|below|most|upto|budget|within)$/,
  min: /^(?:min|minimum|least|above|over|minimal)$/,
};
const LEADS = {
  max: /\b(?:under|below|less than|max(?:imum)?(?: of)?|at most|up to|(?:no|not) more than|within|cheaper than|for less than|in)\s+(?:about\s+|roughly\s+)?[$€£]?$/i,
  min: /\b(?:over|above|more than|at least|min(?:imum)?(?: of)?|no less than|bigger than|larger than|longer than)\s+(?:about\s+)?[$€£]?$/i,
};

/** "under 80 euros" for `max_price`, "at least 4 stars" for `min_rating`. */
export function boundScore({ at, length }: Quantity, { words, meaning }: ArgumentProfile, text: string): number {
  const bound =
    words.some((word) => BOUNDS.max.test(word)) || /\b(?:maximum|highest|at most)\b/.test(meaning)
      ? 'max'
      : words.some((word) => BOUNDS.min.test(word)) || /\b(?:minimum|lowest|at least)\b/.test(meaning)
        ? 'min'
        : undefined;
  if (bound === undefined) return 0;
  const isLed =
    LEADS[bound].test(text.slice(0, at)) ||
    (bound === 'max' && /^(?:\s+\w+)?\s+(?:max|tops|at most|or less)\b/i.test(text.slice(at + length)));
  return isLed ? SURE.linked : 0;
}

/** "1200 by 630" and "1200x630" are a width and a height; "she is 2" and "a 4-year-old" state an age. */
export function extentScore({ at, length }: Quantity, { words }: ArgumentProfile, text: string): number {
  const [before, after] = [text.slice(0, at), text.slice(at + length)];
  if (words.includes('width') && /^\s*(?:px\s*)?(?:by|x|×)\s*\d/i.test(after)) return SURE.named;
  if (words.includes('height') && /\d\s*(?:px\s*)?(?:by|x|×)\s*$/i.test(before)) return SURE.named;
  const isAge = words.some((word) => /^aged?$/.test(word));
  return isAge && (/\b(?:s?he|it|who)(?:'s| is)\s+$/i.test(before) || /^[- ]years?[- ]old\b/i.test(after))
    ? SURE.linked
    : 0;
}

const LIMITS = /^(?:limit|count|top|rows|lines|results)$/;
const FIRST_OF =
  /\b(?:last|top|first|latest|next|newest|recent|show(?: me)?|give me|list|find(?: me)?|get(?: me)?|only|best)\s+(?:the\s+)?(?:last\s+|top\s+|first\s+|latest\s+)?$/i;

/** "the last 5 commits", "show me three results": how many are wanted. */
export function limitScore({ at, unit }: Quantity, { words, meaning }: ArgumentProfile, text: string): number {
  const isLimit =
    words.some((word) => LIMITS.test(word)) || /\bmax(?:imum)? (?:results|lines|rows|items)\b/.test(meaning);
  return isLimit && measureOf([unit]) === undefined && unit !== '' && FIRST_OF.test(text.slice(0, at))
    ? SURE.linked
    : 0;
}

const PARTS: readonly [said: RegExp, part: number][] = [
  [/\b(?:three[- ]quarters)\b/i, 0.75],
  [
    /\b(?:half[- ]?way|half|midway)\b(?!\s+(?:past|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d))/i,
    0.5,
  ],
  [/\b(?:a quarter)\b(?!\s+(?:past|to|of))/i, 0.25],
  [/\b(?:full(?:y)?|completely|all the way|max(?:imum)?|entirely)\b/i, 1],
];
const FULL = 100;

/** "half way" for a percentage, and the names that a description gives to numbers: "0 closed, 100 fully open". */
export function readParts(profile: ArgumentProfile, { text }: MessageValues): Candidate[] {
  const { meaning, words } = profile;
  if (measuredBy(profile) !== 'share' && !/\bpercent|%|\b0\b.*\b100\b/.test(meaning)) return [];
  const [part] = PARTS.flatMap(([said, share]) => {
    const match = said.exec(text);
    return match ? [{ match, share }] : [];
  });
  const named = [...meaning.matchAll(/\b(\d+)\s*(?:=|is|means|for|:)?\s*(?:fully |completely )?([a-z]{3,})/g)].flatMap(
    ([, value, word = '']) => {
      const match = new RegExp(String.raw`\b${word.replace(/e?d$/, '')}(?:e?d)?\b`, 'i').exec(text);
      return match && !words.includes(word) ? [{ value: Number(value), match }] : [];
    },
  );
  if (part && (part.share < 1 || named.length === 0))
    return [{ value: part.share * FULL, at: part.match.index, length: part.match[0].length, score: SURE.linked }];
  return named.map(({ value, match }) => ({
    value,
    at: match.index,
    length: match[0].length,
    score: profile.isRequired ? SURE.likely + 0.05 : SURE.left,
  }));
}
