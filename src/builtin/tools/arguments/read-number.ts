import { convertUnit, type Quantity } from '../../../language/quantities.ts';
import { stem } from '../../../language/words.ts';
import { enumOf } from '../tool-document.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type Candidate, type CandidateReader, type MessageValues, SURE } from './candidate.ts';
import { labelsOf, nearLabel } from './near-label.ts';

/** The units of each measure and the words of arguments that take them. A pound is money and a weight. */
const MEASURES: readonly RegExp[] = [
  /^(?:second|sec|minute|mins?|hour|hr|day|night|week|month|year|duration)s?$/,
  /^(?:euro|eur|dollar|usd|buck|pound|gbp|quid|franc|chf|yen|cent|price|cost|budget|fee|fare|[$€£])s?$/,
  /^(?:kg|kilo|kilogram|gram|mg|milligram|lb|pound|ounce|oz|tonne|weight)s?$/,
  /^(?:km|kilomet(?:er|re)|met(?:er|re)|mile|cm|mm|foot|feet|ft|inche?|distance|radius)s?$/,
  /^(?:lit(?:er|re)|ml|millilit(?:er|re)|gallon|volume)s?$/,
  /^(?:degree|celsiu|fahrenheit|temperature|°)s?$/,
  /^(?:%|percent|percentage)$/,
  /^(?:px|pixel|kb|mb|gb)s?$/,
];

function measuresOf(words: readonly string[]): RegExp[] {
  return MEASURES.filter((units) => words.some((word) => units.test(word)));
}

/** True if the unit of a number is of another measure than the argument: "30 minutes" and `max_price`. */
function isOtherMeasure({ unit, at }: Quantity, { words, meaning }: ArgumentProfile, text: string): boolean {
  const said = measuresOf([unit, text[at] ?? '']);
  // `price_per_night` is a price, and the first word of `min_price` is no minute.
  const named = words
    .join(' ')
    .replace(/ per .*|^min /, '')
    .split(' ');
  const byName = measuresOf(named);
  const own = byName.length > 0 ? byName : measuresOf([/\bin (?:degrees )?([a-z%]+)/.exec(meaning)?.[1] ?? '']);
  return said.length > 0 && own.length > 0 && !said.some((measure) => own.includes(measure));
}

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
  const isWhole = /int/.test(String(profile.argument.schema.type));
  const hasDigits = values.numbers.some(({ isWord }) => !isWord);
  const labels = labelsOf(profile, values.text);
  const found = values.numbers.flatMap((quantity, index) => {
    const value = toUnit(quantity, profile);
    if ((isWhole && !Number.isInteger(value)) || isOtherMeasure(quantity, profile, values.text)) return [];
    const clue = scoreQuantity(quantity, profile, values.text);
    const isCounting = isCount(profile) && all.some((other) => hasOption(other, quantity.unit));
    const shape = Math.max(clue, isExact && clue > 0 ? SURE.likely : 0, isCounting ? SURE.described : 0);
    const sure = Math.max(nearLabel(labels, values.text, quantity), shape);
    const isFew = quantity.isWord && hasDigits && !isExact && sure < SURE.described;
    return [{ value, at: quantity.at, length: quantity.length, score: sure - (isFew ? 0.3 : 0) - index / 1000 }];
  });
  return [...found, ...readOne(profile, values)].filter(({ score }) => score > 0);
};

/** "three colas": the number counts an option of another argument. */
function hasOption({ argument }: ArgumentProfile, unit: string): boolean {
  return unit !== '' && enumOf(argument.schema).some((option) => stem(String(option).toLowerCase()) === stem(unit));
}

/** A sign beside a number that it belongs to an argument: how sure it makes, 0 without it. */
type Clue = (quantity: Quantity, profile: ArgumentProfile, sides: { before: string; after: string }) => number;

const CLUES: readonly Clue[] = [
  // "half a litre" for `ml`.
  ({ unit, value }, profile) => {
    const isConverted = profile.words.some((word) => convertUnit(value, unit, word.replace(/s$/, '')) !== undefined);
    return isConverted ? SURE.shaped : 0;
  },
  // An amount with its currency, or "for 82.50" without one.
  ({ unit, value }, { meaning }, { before, after }) => {
    if (!/\b(?:amount|price|money|cost|budget|euros?|dollars?|tip|fee|sum|payment)\b/.test(meaning)) return 0;
    if (/^(?:euro|eur|dollar|usd|pound|gbp|€|\$)$/.test(unit) || /[$€£]$/.test(before)) return SURE.shaped;
    const isPaid = /\b(?:for|costs?|paid|at|was|price)\s+$/i.test(before);
    return isPaid && !Number.isInteger(value) && !/^\s*[a-z]/.test(after) ? SURE.linked : 0;
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
/** "two adults and a child": one of what the argument counts. */
function readOne({ words, argument }: ArgumentProfile, { text }: MessageValues): Candidate[] {
  const things = words
    .filter((word) => /s$|^children$|^people$/.test(word))
    .map((word) => SINGULAR[word] ?? word.slice(0, -1));
  if (things.length === 0 || !/int/.test(String(argument.schema.type))) return [];
  const match = new RegExp(String.raw`\b(?:an?|another|one)\s+(?:more\s+)?(?:${things.join('|')})\b`, 'i').exec(text);
  return match ? [{ value: 1, at: match.index, length: match[0].length, score: SURE.described }] : [];
}

/** True for an argument that counts what another one names. */
export function isCount({ kind, meaning }: ArgumentProfile): boolean {
  return kind === 'number' && /\b(?:amount|quantity|count|how many|number of|pieces|units)\b/.test(meaning);
}
