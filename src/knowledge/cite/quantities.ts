import { STOP_WORDS } from '../../language/filler-words.ts';
import { convertUnit, SMALL, TENS, WORDS } from '../../language/quantities.ts';
import { stem } from '../../language/words.ts';

/** A number of a text in one notation, with the thing that it counts. */
export interface Amount {
  value: number;
  /** The stem of the counted word, `%`, a currency, `time` for a time of day in minutes, or empty. */
  unit: string;
  /** As written. */
  text: string;
  at: number;
  /** The other end of a range: "500 to 2,500". */
  upTo?: number;
  /** It stands in the title or the headings. */
  isOfHead?: true;
}

const SCALES = { k: 1e3, hundred: 100, thousand: 1e3, million: 1e6, billion: 1e9 };
const NAMED: Readonly<Record<string, number>> = {
  ...Object.fromEntries(WORDS),
  ...SCALES,
  once: 1,
  twice: 2,
  half: 0.5,
};
const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');
const CURRENCIES: Readonly<Record<string, string>> = Object.fromEntries(
  'eur € euro euros,usd $ dollar dollars,gbp £ pound pounds,chf francs,sek kronor,nok,dkk,pln zloty,jpy yen,cad,aud,inr rupees'
    .split(',')
    .map((names) => names.split(' '))
    .flatMap(([code = '', ...others]) => [code, ...others].map((name) => [name, code])),
);
export const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const MONTH = `(?:${MONTHS.join('|')}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)`;
const DATE = new RegExp(
  String.raw`\b(\d{4})-(\d\d)-(\d\d)\b|\b(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?(${MONTH})\b|\b(${MONTH})\s+(\d{1,2})(?:st|nd|rd|th)?(?![\d:])`,
  'gi',
);
const SPOKEN = new RegExp(
  String.raw`\b(half past|(?:a )?quarter (?:past|to)) (${SMALL.slice(1, 13).join('|')}|\d{1,2})\b`,
  'gi',
);
const TIME = /\b(\d{1,2}):(\d\d)\s*([ap]\.?m\b)?|\b(\d{1,2})(?:\.(\d\d))?\s*([ap]\.?m\b)|\b(noon|midnight|midday)\b/gi;
const NUMBER = new RegExp(
  String.raw`(?<![\w.,-]|\d[–-])([€$£]|(?-i:[A-Z]{3})\s)?\s?(\d+(?:[,  ]\d{3})+|\d+)(\.\d+)?(?:(?=[–-]\d)|\s?(hundred|thousand|million|billion|k)\b)?(st|nd|rd|th)?(?![\w]*[a-z]\d)` +
    String.raw`|\b((?:${TENS.join('|')})[- ](?:${SMALL.slice(1, 10).join('|')})|${[...SMALL, ...TENS].join('|')}|(?:dozen|hundred|thousand|million|billion)s?|once|twice|half)\b(?:\s(hundred|thousand|million|billion))?|(?<=\d[–-])(\d+(?:\.\d+)?)` +
    String.raw`|\b(${ORDINALS.join('|')})\b`,
  'gi',
);

/** Every number, date and time of day. A date is its day and month in one number, and its year is a number of its own. */
export function findAmounts(given: string): Amount[] {
  const text = toPlainDigits(given);
  const dates = [...text.matchAll(DATE)].flatMap(readDate);
  const rest = blank(text, DATE, (match) => match[1] ?? '');
  const spoken = [...rest.matchAll(SPOKEN)].map(readSpoken);
  const unspoken = blank(rest, SPOKEN);
  const times = [...unspoken.matchAll(TIME)].flatMap(readTime);
  const numbers = [...blank(unspoken, TIME).matchAll(NUMBER)].flatMap((match) => readNumber(rest, match));
  return joinRanges(
    text,
    [...dates, ...spoken, ...times, ...numbers].sort((a, b) => a.at - b.at),
  );
}

/** Digits of all scripts as 0 to 9: "２６", "٢٦", "②⑥". Small raised ones are footnotes. */
function toPlainDigits(text: string): string {
  return text.replace(/[\p{Nd}①-⒛❶-➓]/gu, (digit) => {
    const plain = digit.normalize('NFKC').replace(/\D/g, '');
    let value = 0;
    while (/\p{Nd}/u.test(String.fromCodePoint((digit.codePointAt(0) ?? 0) - value - 1))) value++;
    return plain || String(value);
  });
}

/** Both ends of a range count the same thing. */
function joinRanges(text: string, amounts: readonly Amount[]): Amount[] {
  return amounts.map((amount, index) => {
    const next = amounts[index + 1];
    if (!next || next.value <= amount.value) return amount;
    const between = text.slice(amount.at + amount.text.length, next.at);
    if (!/^\s?(?:[–-]|to|and)\s?$/.test(between)) return amount;
    const unit = amount.unit === '' || amount.unit === 'to' ? next.unit : amount.unit;
    return { ...amount, unit, ...(between.trim() !== 'and' && { upTo: next.value }) };
  });
}

function readSpoken(match: RegExpExecArray): Amount {
  const [text, part = '', hour = ''] = match;
  const hours = (/^\d/.test(hour) ? Number(hour) : readWords(hour)) * 60;
  const value = /half/i.test(part) ? hours + 30 : /to/i.test(part) ? hours - 15 : hours + 15;
  return { value, unit: 'time', text, at: match.index };
}

/** Replaces matches by spaces; `keep` is what stays of a match, at its beginning. */
function blank(text: string, pattern: RegExp, keep: (match: RegExpExecArray) => string = () => ''): string {
  return text.replace(pattern, (...match) => {
    const all = String(match[0]);
    return keep(match as unknown as RegExpExecArray).padEnd(all.length); // replace gives the groups in the same order
  });
}

function readDate(match: RegExpExecArray): Amount[] {
  const [text, , isoMonth, isoDay, day1, month1, month2, day2] = match;
  const day = Number(isoDay ?? day1 ?? day2);
  const name = (month1 ?? month2 ?? '').toLowerCase().slice(0, 3);
  const month = isoMonth === undefined ? MONTHS.findIndex((one) => one.startsWith(name)) + 1 : Number(isoMonth);
  return day > 31 ? [] : [{ value: month * 100 + day, unit: 'date', text, at: match.index }];
}

function readTime(match: RegExpExecArray): Amount[] {
  const [text, hour1, minutes1, half1, hour2, minutes2, half2, word] = match;
  const minutes = minutes1 ?? minutes2 ?? '0';
  if (word) return [{ value: /mid(?:day)|noon/i.test(word) ? 720 : 0, unit: 'time', text, at: match.index }];
  const hour = Number(hour1 ?? hour2);
  const half = (half1 ?? half2)?.toLowerCase();
  if (hour > 24 || Number(minutes) > 59)
    return [{ value: Number(`${hour}.${minutes}`), unit: '', text, at: match.index }];
  const inDay = half?.startsWith('p') && hour < 12 ? hour + 12 : half?.startsWith('a') && hour === 12 ? 0 : hour;
  return [{ value: inDay * 60 + Number(minutes), unit: 'time', text, at: match.index }];
}

function readNumber(text: string, match: RegExpExecArray): Amount[] {
  const [all, currency, digits, fraction = '', scale1, ordinal, words, scale2, second, nth] = match;
  const at = match.index + (all.length - all.trimStart().length);
  if (nth) return [{ value: ORDINALS.indexOf(nth.toLowerCase()) + 1, unit: 'th', text: all, at }];
  const scale = readWords(scale1 ?? scale2 ?? '') || 1;
  const plain = digits === undefined ? undefined : Number(digits.replace(/\D/g, '') + fraction);
  const value = (plain ?? (second === undefined ? readWords(words ?? '') : Number(second))) * scale;
  const code = currency?.trim().toLowerCase();
  const counted = code === undefined ? unitAfter(text.slice(match.index + all.length)) : (CURRENCIES[code] ?? code);
  const unit = ordinal ? 'th' : counted;
  return [{ value, unit, text: text.slice(at, match.index + all.length).trim(), at }];
}

function readWords(words: string): number {
  return words
    .toLowerCase()
    .split(/[- ]/)
    .reduce((sum, word) => sum + (NAMED[word] ?? NAMED[word.replace(/s$/, '')] ?? 0), 0);
}

/** Words between a number and the thing that it counts. */
const BETWEEN =
  /^(?:\s*(?:full|whole|working|calendar|consecutive|business|paid|additional|extra|more|further|of|the|your|an?|net|gross|different)\b)*[\s-]*/i;

function unitAfter(after: string): string {
  const range = after.replace(/^\s?(?:[–-]|to|or|and)\s?\d+(?:\.\d+)?/, '');
  if (/^\s?(?:%|per\s?cent|percent)/i.test(range)) return '%';
  const word = /^[a-z€$£]+/i.exec(range.replace(BETWEEN, ''))?.[0].toLowerCase() ?? '';
  return CURRENCIES[word] ?? (STOP_WORDS.has(word) ? '' : stem(word));
}

const LONG: Readonly<Record<string, number>> = { year: 12, annual: 12, month: 1, quarter: 3 };

/** True if two amounts are the same number of the same thing, in any unit of it: 14 days and two weeks. */
export function isSameAmount(a: Amount, b: Amount): boolean {
  if (a.unit === 'time' && b.unit === 'time') return a.value === b.value || Math.abs(a.value - b.value) === 720;
  if (b.unit === 'date' && a.unit === 'th') return b.value % 100 === a.value;
  if (b.unit === 'time' && a.unit !== 'time' && a.value <= 24)
    return b.value === a.value * 60 || b.value === (a.value + 12) * 60;
  if (b.upTo !== undefined && a.unit === b.unit && a.value > b.value && a.value < b.upTo) return true;
  if (isCurrency(a) && isCurrency(b) && a.unit !== b.unit) return false;
  if ((a.unit === 'date') !== (b.unit === 'date') || (a.unit === 'time') !== (b.unit === 'time')) return false;
  if (a.unit === b.unit) return isClose(a.value, b.value);
  const [long, other] = [LONG[a.unit], LONG[b.unit]];
  if (long && other) return isClose(a.value * long, b.value * other);
  const converted = convertUnit(a.value, fullUnit(a.unit), fullUnit(b.unit));
  if (converted !== undefined) return isClose(converted, b.value);
  return isClose(a.value, b.value) && !(isMeasure(a) && isMeasure(b));
}

/** True for units that are never another word for each other: weeks and months, euros and per cent. */
export function isMeasure({ unit }: Amount): boolean {
  const full = fullUnit(unit);
  return CODES.has(unit) || /^(?:%|month|quarter|year)$/.test(unit) || convertUnit(1, full, full) !== undefined;
}

const RATE =
  /(?:\b(?:an?|per|each|every|one|any)\s(?:\w+\s)?|\/\s?)(hour|day|week|month|quarter|year)\b|\b(hour|dai|week|month|quarter|year|annual)ly\b|\b(annu)(?:m|al)\b/gi;

/** The periods of rates: "a year", "per month", "daily". */
export function findPeriods(text: string): string[] {
  const found = [...text.matchAll(RATE)].map((match) => (match[1] ?? match[2] ?? 'year').toLowerCase());
  return found.map((period) => (period === 'dai' ? 'day' : period === 'annual' ? 'year' : period));
}

const CODES: ReadonlySet<string> = new Set(Object.values(CURRENCIES));

export function isCurrency({ unit, text }: Amount): boolean {
  return CODES.has(unit) || /^[A-Z]{3}\s/.test(text);
}

/** Stems drop a final e: "minut". */
function fullUnit(stemmed: string): string {
  return stemmed === 'minut' ? 'minute' : stemmed === 'metr' ? 'metre' : stemmed;
}

function isClose(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a));
}
