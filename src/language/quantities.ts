/** A number in a text with the word that it counts: "36 minutes", "two seats", "$1,200", "4 %". */
export interface Quantity {
  value: number;
  at: number;
  length: number;
  /** The word after the number in lower case, without a final s; empty if a mark or nothing follows. */
  unit: string;
  isWord: boolean;
}

export const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
export const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
export const WORDS: ReadonlyMap<string, number> = new Map([
  ...SMALL.map((word, index) => [word, index] as const),
  ...TENS.map((word, index) => [word, 20 + 10 * index] as const),
  ['dozen', 12],
  ['couple', 2],
]);
const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  hundred: 100,
  million: 1e6,
  m: 1e6,
  billion: 1e9,
};
const TEN = TENS.join('|');
const UNIT = SMALL.slice(1, 10).join('|');
const DIGITS = String.raw`(?<![\w.]|\d,|\d:)(-?[$€£]?-?\d+(?:,\d{3})*(?:\.\d+)?)(?![\w^]*[\^*]|:\d|\.\d)(\s?(?:thousand|million|billion|hundred)\b|k\b|[M]\b)?`;
const WORD = String.raw`(?<!\b(?:the|this|that|which|another|no|any|every|each|should|would|could|can|must|may|does|(?:an?|the) [a-z]+) (?=one\b))\b((?:${TEN})[- ](?:${UNIT})|${[...WORDS.keys()].slice(1).join('|')})\b(\s(?:thousand|million|billion|hundred)\b)?`;
const NUMBER = new RegExp(`${DIGITS}|${WORD}`, 'gi');

const LENGTHS =
  'seconds?|minutes?|hours?|days?|weeks?|months?|years?|kilos?|kilometres?|kilometers?|miles?|lit(?:re|er)s?|cups?';
/** "an hour and a half", "two and a half hours", "half an hour", "three quarters of an hour". */
const HALVES = new RegExp(
  [
    String.raw`\b(an?|one|\d+|${[...WORDS.keys()].slice(1).join('|')})\s+(${LENGTHS})\s+and\s+a\s+(half|quarter)\b`,
    String.raw`\b(an?|one|\d+|${[...WORDS.keys()].slice(1).join('|')})\s+and\s+a\s+(half|quarter)(?:\s+(${LENGTHS}))?`,
    String.raw`\b(half|(?:a\s+)?quarter of|three quarters of)\s+an?\s+(${LENGTHS})\b`,
  ].join('|'),
  'gi',
);

/** Digits come before number words: "three sides of 5, 4 and 3". */
export function findQuantities(text: string): Quantity[] {
  const halves = [...findHalves(text), ...findTimes(text)];
  const isApart = ({ at, length }: Quantity) =>
    halves.every((half) => at + length <= half.at || at >= half.at + half.length);
  return [...halves, ...findPlain(text).filter(isApart)].sort(
    (a, b) => Number(a.isWord) - Number(b.isWord) || a.at - b.at,
  );
}

function findHalves(text: string): Quantity[] {
  return [...text.matchAll(HALVES)].map((match) => {
    const [all, count1, unit1, part1, count2, part2, unit2, part3, unit3] = match;
    const whole = count1 ?? count2;
    const part = part1 ?? part2 ?? part3 ?? '';
    const fraction = /three/i.test(part) ? 0.75 : /quarter/i.test(part) ? 0.25 : 0.5;
    const unit = (unit1 ?? unit2 ?? unit3 ?? '').toLowerCase().replace(/s$/, '');
    const value = (whole === undefined ? 0 : readCount(whole)) + fraction;
    return { value, at: match.index, length: all.length, unit, isWord: false };
  });
}

/** "twice", "three times": how often. */
function findTimes(text: string): Quantity[] {
  return [...text.matchAll(/\b(once|twice|thrice)\b/gi)].map((match) => ({
    value: ['once', 'twice', 'thrice'].indexOf(match[0].toLowerCase()) + 1,
    at: match.index,
    length: match[0].length,
    unit: 'time',
    isWord: true,
  }));
}

function readCount(word: string): number {
  return /^\d/.test(word) ? Number(word) : /^an?$/i.test(word) ? 1 : readWords(word);
}

function findPlain(text: string): Quantity[] {
  return [...text.matchAll(NUMBER)].flatMap((match) => {
    const [all, digits, digitScale = '', words = '', wordScale = ''] = match;
    // A letter right after the digits makes it a code or an ordinal, except for units such as "20C".
    const after = text.slice(match.index + all.length);
    if (/^[-_/]\w/.test(after)) return [];
    const isOrdinal = /^(?:st|nd|rd|th)\b/i.test(after);
    const scale = SCALES[(digitScale || wordScale).trim().toLowerCase()] ?? 1;
    const value = (digits === undefined ? readWords(words) : Number(digits.replace(/[$€£,]/g, ''))) * scale;
    const unit = /^(?:st\b|nd\b|rd\b|th\b)?\s?(%|°|[a-z]+)/i.exec(after)?.[1]?.toLowerCase().replace(/s$/, '') ?? '';
    return [{ value, at: match.index, length: all.length, unit, isWord: digits === undefined || isOrdinal }];
  });
}

function readWords(words: string): number {
  return words
    .toLowerCase()
    .split(/[- ]/)
    .reduce((sum, word) => sum + (WORDS.get(word) ?? 0), 0);
}

/** Units by what they measure, with their size in the smallest one. */
const SIZES: readonly Readonly<Record<string, number>>[] = [
  { second: 1, sec: 1, s: 1, minute: 60, min: 60, hour: 3600, hr: 3600, h: 3600, day: 86_400, week: 604_800 },
  { ml: 1, milliliter: 1, millilitre: 1, cl: 10, l: 1000, liter: 1000, litre: 1000 },
  { mg: 1, milligram: 1, g: 1000, gram: 1000, kg: 1e6, kilo: 1e6, kilogram: 1e6, tonne: 1e9 },
  {
    mm: 1,
    millimeter: 1,
    millimetre: 1,
    cm: 10,
    m: 1000,
    meter: 1000,
    metre: 1000,
    km: 1e6,
    kilometer: 1e6,
    kilometre: 1e6,
  },
];

/** Converts a value from a unit to another; undefined if they do not measure the same. */
export function convertUnit(value: number, from: string, to: string): number | undefined {
  const table = SIZES.find((sizes) => Object.hasOwn(sizes, from) && Object.hasOwn(sizes, to));
  const [size, target] = [table?.[from], table?.[to]];
  return size === undefined || target === undefined ? undefined : (value * size) / target;
}
