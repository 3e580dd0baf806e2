import { convertUnit, findQuantities, type Quantity } from '../../../language/quantities.ts';
import { stem } from '../../../language/words.ts';
import { enumOf } from '../tool-document.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type Candidate, type CandidateReader, type MessageValues, overlaps, SURE } from './candidate.ts';
import { labelsOf, nearLabel } from './near-label.ts';
import { isOtherMeasure, isSameUnit, measuredBy, measureOf } from './units.ts';

const PEOPLE =
  /^(?:people|person|adult|guest|passenger|traveler|traveller|seat|party|diner|attendee|participant|ticket|pax|head|serving|portion|friend|player)$/;
const UNIT_WORD = /\b(second|minute|hour|day|week)s?\b/;
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
  const isWhole = /int/.test(String(profile.argument.schema.type));
  const hasDigits = values.numbers.some(({ isWord }) => !isWord);
  const labels = labelsOf(profile, values.text);
  const found = values.numbers.flatMap((quantity, index) => {
    const value = toUnit(inKilometres(quantity, profile, values.text), profile);
    if ((isWhole && !Number.isInteger(value)) || isOtherMeasure(quantity, profile, values.text)) return [];
    const clue = scoreQuantity(quantity, profile, values.text);
    const isCounting = isCount(profile) && all.some((other) => hasOption(other, quantity.unit));
    const isSet = isOnly && quantity.unit === '' && /\bto\s+$/i.test(values.text.slice(0, quantity.at));
    const shape = Math.max(clue, isExact && clue > 0 ? SURE.likely : 0, isSet || isCounting ? SURE.described : 0);
    const sure = Math.max(nearLabel(labels, values.text, quantity), shape);
    const isFew = quantity.isWord && hasDigits && !isExact && sure < SURE.described;
    return [{ value, at: quantity.at, length: quantity.length, score: sure - (isFew ? 0.3 : 0) - index / 1000 }];
  });
  return [...found, ...readPeriod(profile, values), ...readPart(profile, values), ...readOne(profile, values)].filter(
    ({ score }) => score > 0,
  );
};

/** "three colas": the number counts an option of another argument. */
function hasOption({ argument }: ArgumentProfile, unit: string): boolean {
  return unit !== '' && enumOf(argument.schema).some((option) => stem(String(option).toLowerCase()) === stem(unit));
}

/** A sign beside a number that it belongs to an argument: how sure it makes, 0 without it. */
type Clue = (quantity: Quantity, profile: ArgumentProfile, sides: { before: string; after: string }) => number;

const BOUNDS: readonly [words: RegExp, meaning: RegExp, before: RegExp, after: RegExp][] = [
  [
    /^(?:max|maximum|under|below|most|upto|budget|within)$/,
    /\b(?:maximum|highest|at most)\b/,
    /\b(?:under|below|less than|max(?:imum)?(?: of)?|at most|up to|(?:no|not) more than|within|cheaper than|in)\s+(?:about\s+|roughly\s+)?[$€£]?$/i,
    /^(?:\s+\w+)?\s+(?:max|tops|at most|or less)\b/i,
  ],
  [
    /^(?:min|minimum|least|above|over|minimal)$/,
    /\b(?:minimum|lowest|at least)\b/,
    /\b(?:over|above|more than|at least|min(?:imum)?(?: of)?|no less than|(?:bigg|larg|long)er than)\s+(?:about\s+)?[$€£]?$/i,
    /^(?:\s+\w+)?\s+(?:or more|at least)\b/i,
  ],
];
const FIRST_OF =
  /\b(?:last|top|first|latest|next|newest|recent|show(?: me)?|give me|list|find(?: me)?|get(?: me)?|only|best)\s+(?:the\s+)?(?:last\s+|top\s+|first\s+|latest\s+)?$/i;

const CLUES: readonly Clue[] = [
  // "kilos" for `kg`, "half a litre" for `ml`.
  ({ unit, value }, profile) => {
    if (isSameUnit(unit, profile)) return SURE.named - 0.05;
    const isConverted = profile.words.some((word) => convertUnit(value, unit, word.replace(/s$/, '')) !== undefined);
    return isConverted ? SURE.shaped : 0;
  },
  // "1200 by 630" is a width and a height; "a 4-year-old" and "she is 2" state an age.
  (_, { words }, { before, after }) => {
    if (words.includes('width') && /^\s*(?:px\s*)?(?:by|x|×)\s*\d/i.test(after)) return SURE.named;
    if (words.includes('height') && /\d\s*(?:px\s*)?(?:by|x|×)\s*$/i.test(before)) return SURE.named;
    const isAge = /\b(?:s?he|it|who)(?:'s| is)\s+$/i.test(before) || /^[- ]years?[- ]old\b/i.test(after);
    return isAge && words.some((word) => /^aged?$/.test(word)) ? SURE.linked : 0;
  },
  // An amount with its currency, or "for 82.50" without one.
  ({ unit, value }, { meaning }, { before, after }) => {
    if (!/\b(?:amount|price|money|cost|budget|euros?|dollars?|tip|fee|sum|payment)\b/.test(meaning)) return 0;
    if (measureOf([unit]) === 'money' || /[$€£]$/.test(before)) return SURE.shaped;
    const isPaid = /\b(?:for|costs?|paid|at|was|price)\s+$/i.test(before);
    return isPaid && !Number.isInteger(value) && !/^\s*[a-z]/.test(after) ? SURE.linked : 0;
  },
  // "under 80 euros" for `max_price`, "at least 4 stars" for `min_rating`.
  (_, { words, meaning }, { before, after }) => {
    const bound = BOUNDS.find(([own, said]) => words.some((word) => own.test(word)) || said.test(meaning));
    return bound && (bound[2].test(before) || bound[3].test(after)) ? SURE.linked : 0;
  },
  // "the last 5 commits", "show me three results": how many are wanted.
  ({ unit }, { words, meaning }, { before }) => {
    const isLimit =
      words.some((word) => /^(?:limit|count|top|rows|lines|results)$/.test(word)) ||
      /\bmax(?:imum)? (?:results|lines|rows|items)\b/.test(meaning);
    return isLimit && unit !== '' && measureOf([unit]) === undefined && FIRST_OF.test(before) ? SURE.linked : 0;
  },
  ({ unit }, { meaning }) => {
    if (measureOf([unit]) !== 'share') return 0;
    return /percent|%|\b(?:rate|brightness|ratio)\b/.test(meaning) ? SURE.shaped : SURE.left - 0.04;
  },
  // "10 double sided copies", "print it twice".
  ({ unit }, { words, meaning }, { after }) => {
    const stems = words.map(stem);
    const next = /^\s+[\w-]+\s+([a-z]{4,})(?:\s+([a-z]{4,}))?/i.exec(after)?.slice(1) ?? [];
    if (next.some((word) => word !== undefined && stems.includes(stem(word.toLowerCase()))))
      return SURE.described + 0.05;
    const isRepeated = COUNT.test(meaning) || words.some((word) => /^(?:copies|times|repeats?|count)$/.test(word));
    return unit === 'time' && isRepeated ? SURE.linked : 0;
  },
  // "for 4", "2 of us", "3 guests".
  ({ unit }, { words }, { before, after }) => {
    if (!words.some((word) => PEOPLE.test(word.replace(/s$/, '')))) return 0;
    const isFor = /\bfor\s+$/i.test(before) && !/^[a-z]/.test(unit);
    return PEOPLE.test(unit) || /^\s+of (?:us|them)\b/i.test(after) || isFor ? SURE.linked : 0;
  },
];

function scoreQuantity(quantity: Quantity, profile: ArgumentProfile, text: string): number {
  const { words, meaning, isRequired } = profile;
  const unit = LINK.test(quantity.unit) ? '' : quantity.unit;
  const start = /^[$€£]/.test(text[quantity.at] ?? '') ? quantity.at + 1 : quantity.at;
  const sides = { before: text.slice(0, start), after: text.slice(quantity.at + quantity.length) };
  const isYear = isYearNumber(quantity);
  if (words.includes('year')) return isYear ? SURE.linked : 0;
  if (isYear && unit === '' && /\b(?:in|since|of|year|from|by)\s+$/i.test(sides.before)) return 0;
  // "two tickets" are no ticket with the id 2.
  if (unit !== '' && words.map(stem).includes(stem(unit))) return words.includes('id') ? 0 : SURE.named - 0.03;
  const clue = CLUES.map((read) => read({ ...quantity, unit }, profile, sides)).find((score) => score > 0);
  if (clue !== undefined) return clue;
  if (unit.length > 2 && new RegExp(String.raw`\b${unit}`).test(meaning)) return SURE.described;
  if (COUNT.test(meaning) && isRequired && !isYear) return SURE.likely;
  return isRequired ? (quantity.isWord || isYear ? SURE.left - 0.04 : SURE.left) : 0;
}

function isYearNumber({ value, isWord }: Quantity): boolean {
  return Number.isInteger(value) && value >= LEAST_YEAR && value <= LAST_YEAR && !isWord;
}

/** "8k" is 8 where the argument counts kilometres. */
function inKilometres(quantity: Quantity, { words }: ArgumentProfile, text: string): Quantity {
  const isShort = /^[\d.]+k$/i.test(text.slice(quantity.at, quantity.at + quantity.length));
  const isCounting = quantity.unit !== '' && !LINK.test(quantity.unit) && quantity.unit !== 'thi';
  return isShort && !isCounting && words.includes('km')
    ? { ...quantity, value: quantity.value / 1000, unit: 'km' }
    : quantity;
}

/** "2 hours" is 120 where the argument says that it counts minutes. */
function toUnit({ value, unit }: Quantity, { meaning, words }: ArgumentProfile): number {
  const isRate = /\b(?:rate|yield|return|interest|probability|discount|ratio)\b/.test(meaning);
  if (unit === '%' && isRate && !/percent|%/.test(meaning)) return value / 100;
  const [converted] = [wantedUnit(meaning) ?? '', ...words].flatMap(
    (to) => convertUnit(value, unit, to) ?? convertUnit(value, unit, to.replace(/s$/, '')) ?? [],
  );
  return converted ?? value;
}

/** The unit of time that an argument counts. */
function wantedUnit(meaning: string): string | undefined {
  return /\bper (?:day|week|month|hour|night)\b/.test(meaning) ? undefined : UNIT_WORD.exec(meaning)?.[1];
}

const SINGULAR: Readonly<Record<string, string>> = { children: 'child', people: 'person', copies: 'copy' };
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];
const ALONE = /\b(?:just|only) (?:for )?(?:me|myself)\b|\b(?:for|by) myself\b|\btravell?ing alone\b/i;

/** "two adults and a child", "the third floor", "just for myself": one of what the argument counts, or its number. */
function readOne(profile: ArgumentProfile, values: MessageValues): Candidate[] {
  const { words, argument } = profile;
  const { text } = values;
  const things = words
    .filter((word) => /s$|^children$|^people$/.test(word))
    .map((word) => SINGULAR[word] ?? word.slice(0, -1));
  const isCount = things.length > 0 && /int/.test(String(argument.schema.type));
  const match = isCount
    ? new RegExp(String.raw`\b(?:an?|another|one)\s+(?:more\s+)?(?:${things.join('|')})\b`, 'i').exec(text)
    : null;
  const one = match ? [{ value: 1, at: match.index, length: match[0].length, score: SURE.described }] : [];
  const isAlone = words.some((word) => PEOPLE.test(word.replace(/s$/, ''))) && ALONE.test(text);
  const alone = isAlone ? [{ value: 1, at: 0, length: 0, score: SURE.described }] : [];
  return [...one, ...alone, ...readOrdinal(profile, values)];
}

/** "first class", "the third floor": an ordinal beside the argument's own word. */
export function readOrdinal({ words }: ArgumentProfile, { text }: Pick<MessageValues, 'text'>): Candidate[] {
  const own = words.filter((word) => word.length > 2).join('|');
  const match = own === '' ? null : new RegExp(String.raw`\b(${ORDINALS.join('|')})\s+(?:${own})\b`, 'i').exec(text);
  if (!match) return [];
  const value = ORDINALS.indexOf(String(match[1]).toLowerCase()) + 1;
  return [{ value, at: match.index, length: match[0].length, score: SURE.shaped }];
}

/** "the past hour", "from 9 to 11": a length of time without a number of its own. */
function readPeriod({ meaning, words }: ArgumentProfile, { text, moments, numbers }: MessageValues): Candidate[] {
  const wanted = wantedUnit(meaning);
  if (wanted === undefined && !words.some((word) => /^nights?$/.test(word))) return [];
  const isLength = words.some((word) => /^(?:stay|nights?|duration|length)$/.test(word));
  const ends = moments.map(({ day, time }) =>
    Date.parse(`${day ?? moments[0]?.day ?? '2000-01-01'}T${time ?? '00:00'}Z`),
  );
  const seconds = ((ends[1] ?? 0) - (ends[0] ?? 0)) / 1000;
  if (isLength && ends.length === 2 && seconds > 0)
    return [{ value: convertUnit(seconds, 'second', wanted ?? 'day') ?? 0, at: 0, length: 0, score: SURE.linked }];
  const match = /\b(half an|(?:past|last) half|half|past|last|an?|per|one)\s+(second|minute|hour|day|week)\b/i.exec(
    text,
  );
  if (!match || numbers.some((number) => overlaps(number, { at: match.index, length: match[0].length }))) return [];
  const value = convertUnit(/half/i.test(match[0]) ? 0.5 : 1, String(match[2]).toLowerCase(), wanted ?? '');
  return value === undefined ? [] : [{ value, at: match.index, length: match[0].length, score: SURE.linked }];
}

const PARTS: readonly [said: RegExp, percent: number][] = [
  [/\b(?:three[- ]quarters)\b/i, 75],
  [
    /\b(?:half[- ]?way|half|midway)\b(?!\s+(?:past|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d))/i,
    50,
  ],
  [/\b(?:a quarter)\b(?!\s+(?:past|to|of))/i, 25],
  [/\b(?:full(?:y)?|completely|all the way|max(?:imum)?|entirely)\b/i, 100],
];

/** "half way" for a percentage. */
function readPart(profile: ArgumentProfile, { text }: MessageValues): Candidate[] {
  if (measuredBy(profile) !== 'share' && !/\bpercent|%|\b0\b.*\b100\b/.test(profile.meaning)) return [];
  return PARTS.flatMap(([said, value]) => {
    const match = said.exec(text);
    return match ? [{ value, at: match.index, length: match[0].length, score: SURE.linked }] : [];
  }).slice(0, 1);
}

/** True for an argument that counts what another one names. */
export function isCount({ kind, meaning }: ArgumentProfile): boolean {
  return kind === 'number' && /\b(?:amount|quantity|count|how many|number of|pieces|units)\b/.test(meaning);
}

/** A count at the beginning of a text, and the text without it: "3 phone chargers", "two of the linen shirts". */
export function splitCount(text: string): { count: number; rest: string } | undefined {
  const match =
    /^(\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\s+(?:x\s+|of (?:the|those|these|your)\s+)?(\D.+)$/i.exec(
      text,
    );
  const word = match?.[1] ?? '';
  return match ? { count: Number(word) || (findQuantities(word)[0]?.value ?? 1), rest: match[2] ?? text } : undefined;
}
