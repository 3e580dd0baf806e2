import { convertUnit, type Quantity } from '../../../language/quantities.ts';
import { stem } from '../../../language/words.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type CandidateReader, SURE } from './candidate.ts';
import { labelsOf, nearLabel } from './near-label.ts';
import { boundScore, extentScore, isOtherMeasure, isSameUnit, limitScore, readParts } from './number-clues.ts';
import type { MessageValues } from './values/message-values.ts';

const PEOPLE =
  /^(?:people|person|adult|guest|passenger|traveler|traveller|seat|party|diner|attendee|participant|ticket|pax|head|serving|portion|friend|player)$/;
const UNIT_WORD = /\b(second|minute|hour|day|week)s?\b/;
const PERCENT = /percent|%|\brate\b|\bbrightness\b|\bratio\b/;
const MONEY = /^(?:euro|eur|dollar|usd|buck|pound|gbp|quid|€|\$)$/;
const MARK = /[$€£]/;
const PRICE = /\b(?:amount|price|money|cost|budget|euros?|dollars?|tip|fee|sum|payment)\b/;
const LINK = /^(?:with|and|in|at|on|please|from|to|by|tomorrow|tonight|today|next|thi|for|or|a|of|thank)$/;
const COUNT = /\b(?:amount|quantity|count|how many|number of|total)\b/;
const LEAST_YEAR = 1000;
const LAST_YEAR = 2100;

/** Numbers: beside the argument's words, with its unit, counting people, as a year, or simply the next one. */
export const readNumbers: CandidateReader = (profile, values, { all }) => {
  const needed = all.filter(({ kind, isRequired }) => kind === 'number' && isRequired).length;
  const isExact = profile.isRequired && values.numbers.length === needed;
  // "dim the lamp to 30": the only number goes to the only argument that takes one.
  const isOnly = values.numbers.length === 1 && all.filter(({ kind }) => kind === 'number').length === 1;
  const { schema } = profile.argument;
  const isWhole = /int/.test(String(schema.type));
  const labels = labelsOf(profile, values.text);
  const found = values.numbers.flatMap((quantity, index) => {
    const value = toUnit(inKilometres(quantity, profile, values.text), profile);
    if ((isWhole && !Number.isInteger(value)) || isOtherMeasure(quantity, profile, values.text)) return [];
    const isFew = quantity.isWord && values.numbers.filter(({ isWord }) => !isWord).length > 0;
    const shape = Math.max(
      scoreUnit(quantity, profile, values),
      isExact && scoreUnit(quantity, profile, values) > 0 ? SURE.likely : 0,
      isOnly && quantity.unit === '' && /\bto\s+$/i.test(values.text.slice(0, quantity.at)) ? SURE.described : 0,
    );
    const sure = Math.max(nearLabel(labels, values.text, quantity), shape);
    const score = sure - (isFew && !isExact && sure < SURE.described ? 0.3 : 0);
    return [{ value, at: quantity.at, length: quantity.length, score: score - index / 1000 }];
  });
  return [
    ...found,
    ...readPeriod(profile, values),
    ...readAlone(profile, values),
    ...readParts(profile, values),
    ...readOrdinal(profile, values),
    ...readOne(profile, values),
  ].filter(({ score }) => score > 0);
};

function scoreUnit(quantity: Quantity, profile: ArgumentProfile, { text }: MessageValues): number {
  const { words, meaning, isRequired } = profile;
  const unit = LINK.test(quantity.unit) ? '' : quantity.unit;
  const isYear = isYearNumber(quantity);
  if (words.includes('year')) return isYear ? SURE.linked : 0;
  if (isYear && unit === '' && /\b(?:in|since|of|year|from|by)\s+$/i.test(text.slice(0, quantity.at))) return 0;
  const isOwn = unit !== '' && words.map(stem).includes(stem(unit));
  // "two tickets" are no ticket with the id 2.
  if (isOwn) return words.includes('id') ? 0 : SURE.named - 0.03;
  const clue = [unitClue, extentScore, priceClue, boundScore, limitScore, shareClue, countClue, peopleClue]
    .map((score) => score({ ...quantity, unit }, profile, text))
    .find((score) => score > 0);
  if (clue !== undefined) return clue;
  if (unit !== '' && unit.length > 2 && new RegExp(String.raw`\b${unit}`).test(meaning)) return SURE.described;
  if (COUNT.test(meaning) && isRequired && !isYear) return SURE.likely;
  return isRequired ? (quantity.isWord || isYear ? SURE.left - 0.04 : SURE.left) : 0;
}

function isYearNumber({ value, isWord }: Quantity): boolean {
  return Number.isInteger(value) && value >= LEAST_YEAR && value <= LAST_YEAR && !isWord;
}

/** "kilos" for `kg`, "half a litre" for `ml`. */
function unitClue({ unit, value }: Quantity, profile: ArgumentProfile): number {
  if (isSameUnit(unit, profile)) return SURE.named - 0.05;
  const isConverted = profile.words.some((word) => convertUnit(value, unit, word.replace(/s$/, '')) !== undefined);
  return isConverted ? SURE.shaped : 0;
}

/** An amount with its currency, or "for 82.50" without one. */
function priceClue({ unit, at, length }: Quantity, { meaning }: ArgumentProfile, text: string): number {
  if (!PRICE.test(meaning)) return 0;
  if (MONEY.test(unit) || MARK.test(text.slice(at, at + 1))) return SURE.shaped;
  const isPaid = /\b(?:for|costs?|paid|at|was|price)\s+$/i.test(text.slice(0, at));
  return isPaid && /\.\d\d$/.test(text.slice(at, at + length)) ? SURE.linked : 0;
}

function shareClue({ unit }: Quantity, { meaning }: ArgumentProfile): number {
  if (unit !== '%' && unit !== 'percent') return 0;
  return PERCENT.test(meaning) ? SURE.shaped : SURE.left - 0.04;
}

/** "10 double sided copies", "print it twice". */
function countClue({ unit, at, length }: Quantity, { words, meaning }: ArgumentProfile, text: string): number {
  const stems = words.map(stem);
  const next = /^\s+[\w-]+\s+([a-z]+)(?:\s+([a-z]+))?/i.exec(text.slice(at + length))?.slice(1) ?? [];
  if (next.some((word) => word !== undefined && word.length > 3 && stems.includes(stem(word.toLowerCase()))))
    return SURE.described + 0.05;
  const isRepeated =
    COUNT.test(meaning) || words.some((word) => /^(?:copies|times|repeats?|repetitions|count)$/.test(word));
  return unit === 'time' && isRepeated ? SURE.linked : 0;
}

/** "for 4", "2 of us", "3 guests". */
function peopleClue({ unit, at, length }: Quantity, { words }: ArgumentProfile, text: string): number {
  if (!words.some((word) => PEOPLE.test(word.replace(/s$/, '')))) return 0;
  const isOfUs = /^\s+of (?:us|them)\b/i.test(text.slice(at + length));
  const isFor = /\bfor\s+$/i.test(text.slice(0, at)) && !/^[a-z]/.test(unit);
  return PEOPLE.test(unit) || isOfUs || isFor ? SURE.linked : 0;
}

/** "8k" is 8 where the argument counts kilometres. */
function inKilometres(quantity: Quantity, { words }: ArgumentProfile, text: string): Quantity {
  const isShort = /^[\d.]+k$/i.test(text.slice(quantity.at, quantity.at + quantity.length));
  const isCounting = quantity.unit !== '' && !LINK.test(quantity.unit);
  return isShort && !isCounting && words.includes('km')
    ? { ...quantity, value: quantity.value / 1000, unit: 'km' }
    : quantity;
}

/** "2 hours" is 120 where the argument says that it counts minutes. */
function toUnit({ value, unit }: Quantity, { meaning, words }: ArgumentProfile): number {
  const wanted = /\bper (?:day|week|month|hour|night)\b/.test(meaning) ? undefined : UNIT_WORD.exec(meaning)?.[1];
  if (
    unit === '%' &&
    /\b(?:rate|yield|return|interest|probability|discount|ratio)\b/.test(meaning) &&
    !/percent|%/.test(meaning)
  )
    return value / 100;
  const [converted] = [...(wanted === undefined ? [] : [wanted]), ...words].flatMap(
    (to) => convertUnit(value, unit, to) ?? convertUnit(value, unit, to.replace(/s$/, '')) ?? [],
  );
  return converted ?? value;
}

const SINGULAR: Readonly<Record<string, string>> = { children: 'child', people: 'person', copies: 'copy' };

/** "two adults and a child": one of what the argument counts. */
function readOne({ words, argument }: ArgumentProfile, { text }: MessageValues): ReturnType<CandidateReader> {
  if (!/int/.test(String(argument.schema.type))) return [];
  const things = words
    .filter((word) => /s$|^children$|^people$/.test(word))
    .map((word) => SINGULAR[word] ?? word.replace(/s$/, ''));
  const match =
    things.length === 0
      ? null
      : new RegExp(String.raw`\b(?:an?|another|one)\s+(?:more\s+)?(?:${things.join('|')})\b`, 'i').exec(text);
  return match ? [{ value: 1, at: match.index, length: match[0].length, score: SURE.described }] : [];
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

/** "first class", "the third floor": an ordinal beside the argument's own word. */
export function readOrdinal(
  { words }: Pick<ArgumentProfile, 'words'>,
  { text }: Pick<MessageValues, 'text'>,
): ReturnType<CandidateReader> {
  const own = words.filter((word) => word.length > 2).join('|');
  const match = own === '' ? null : new RegExp(String.raw`\b(${ORDINALS.join('|')})\s+(?:${own})\b`, 'i').exec(text);
  const value = match ? ORDINALS.indexOf(String(match[1]).toLowerCase()) + 1 : 0;
  return match && value > 0 ? [{ value, at: match.index, length: match[0].length, score: SURE.shaped }] : [];
}

/** "just for myself" is one guest. */
function readAlone({ words }: ArgumentProfile, { text }: MessageValues): ReturnType<CandidateReader> {
  const isPeople = words.some((word) => PEOPLE.test(word.replace(/s$/, '')));
  const isAlone = /\b(?:just|only) (?:for )?(?:me|myself)\b|\bfor myself\b|\bby myself\b|\btravell?ing alone\b/i.test(
    text,
  );
  return isPeople && isAlone ? [{ value: 1, at: 0, length: 0, score: SURE.described }] : [];
}

/** "from 9 to 11": two times of one day, the first before the second. */
function minutesBetween(moments: MessageValues['moments']): number | undefined {
  const [start, end, more] = moments.flatMap(({ time }) => time ?? []);
  const toMinutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
  if (start === undefined || end === undefined || more !== undefined || end <= start) return undefined;
  return toMinutes(end) - toMinutes(start);
}

/** "the past hour": a period without a number. */
function readPeriod(
  { meaning, words }: ArgumentProfile,
  { text, moments, numbers }: MessageValues,
): ReturnType<CandidateReader> {
  const [from, to, more] = moments.flatMap(({ day }) => day ?? []);
  if (
    from &&
    to &&
    !more &&
    /\b(?:stay|nights?|duration|length)\b/.test(words.join(' ')) &&
    /\bdays?|nights?\b/.test(meaning)
  )
    return [{ value: (Date.parse(to) - Date.parse(from)) / 86_400_000, at: 0, length: 0, score: SURE.described }];
  const wanted = /\bper (?:day|week|month|hour|night)\b/.test(meaning) ? undefined : UNIT_WORD.exec(meaning)?.[1];
  const between = wanted === undefined || !words.includes('duration') ? undefined : minutesBetween(moments);
  if (between !== undefined)
    return [{ value: convertUnit(between, 'minute', wanted ?? '') ?? between, at: 0, length: 0, score: SURE.linked }];
  const match =
    wanted === undefined
      ? null
      : /\b(half an|(?:past|last) half|half|past|last|an?|per|one)\s+(second|minute|hour|day|week)\b/i.exec(text);
  const value =
    match && wanted ? convertUnit(/half/i.test(match[0]) ? 0.5 : 1, String(match[2]).toLowerCase(), wanted) : undefined;
  const isInside =
    match && numbers.some(({ at, length }) => at < match.index + match[0].length && match.index < at + length);
  return match && !isInside && value !== undefined
    ? [{ value, at: match.index, length: match[0].length, score: SURE.linked }]
    : [];
}
