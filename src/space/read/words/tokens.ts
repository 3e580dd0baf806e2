import { toSingular } from '../../model/nouns.ts';

/** The unit that a number is written with. */
export type NumberSign = '$' | '%' | 'days' | 'stars' | 'times';

/** A word or number of a question at its place. */
export interface Token {
  text: string;
  word: string;
  lemma: string;
  start: number;
  end: number;
  /** The value of a number, without currency, separators and percent sign. */
  number?: number;
  /** The sign that a number is written with. */
  sign?: NumberSign | undefined;
}

const TOKEN =
  /(?<![\p{L}\p{N}])w\/o\b|(?:(?<![\p{L}\p{N}])-)?[$€£]?\d+(?:[.,]\d+)*(?:\s?(?:k|million|thousand|grand)\b)?[%+]?|[\p{L}]+(?:['’][\p{L}]+)*|&|(?<=\s)\+(?=\s)|#(?=\s?\p{L})|%|[<>]=?|[≤≥]/giu;
const NUMBER_WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
/** Signs that stand for words. */
const SIGNS: Readonly<Record<string, string>> = {
  'w/o': 'without',
  '+': 'plus',
  '#': 'number',
  '%': 'percent',
  '>': 'over',
  '<': 'under',
  '>=': 'at_least',
  '≥': 'at_least',
  '<=': 'at_most',
  '≤': 'at_most',
};
/** Written short forms of words that grammar or a model may have. */
const ABBREVIATIONS = new Map(
  (
    'avg average|ppl people|yr year|yrs years|qty quantity|amt amount|pct percent|excl excluding|incl including|' +
    'neg negative|pos positive|pls please|plz please|w with|tot total|nr number|nbr number|wich which|whcih which|' +
    'mny many|wat what|prev previous|wk week|mth month|teh the|adn and|hwo how'
  )
    .split('|')
    .map((pair) => pair.split(' ') as [string, string]), // each is a pair of words
);
const FACTORS: Readonly<Record<string, number>> = { k: 1_000, grand: 1_000, thousand: 1_000, million: 1_000_000 };

/** Splits a question into words. "what's" becomes what and is; "haven't" becomes have and not. */
export function readTokens(text: string): Token[] {
  const tokens = [...text.matchAll(TOKEN)].flatMap((match) => toTokens(match[0], match.index));
  return tokens.reduce<Token[]>((read, token) => joinUnit(read, token), []);
}

const UNITS: Readonly<Record<string, NumberSign>> = {
  dollar: '$',
  usd: '$',
  buck: '$',
  percent: '%',
  day: 'days',
  star: 'stars',
  time: 'times',
};

/** "200 dollars" and "10 days" are one number with its unit. */
function joinUnit(read: Token[], token: Token): Token[] {
  const last = read.at(-1);
  const sign = UNITS[token.lemma];
  const isNumber = last?.number !== undefined && last.sign === undefined;
  if (!last || !isNumber || sign === undefined) return [...read, token];
  return [...read.slice(0, -1), { ...last, sign, end: token.end }];
}

function toTokens(text: string, start: number): Token[] {
  const end = start + text.length;
  const word = text.toLowerCase().replace(/’/g, "'");
  if (/^-?[$€£]?\d/.test(word)) return [toNumber(text, start)];
  const sign = SIGNS[word];
  if (sign !== undefined) return [{ text, word: sign, lemma: sign, start, end }];
  const negated =
    /^(.+)n't$/.exec(word) ?? /^(did|do|does|is|are|was|were|have|has|had|ca|could|would|should|wo)nt$/.exec(word);
  if (negated) {
    const verb = { wo: 'will', ca: 'can', sha: 'shall' }[negated[1] ?? ''] ?? negated[1] ?? '';
    return [make(text, verb, start, end), make(text, 'not', start, end)];
  }
  const short =
    /^(what|who|how|where|there|that|it)'(?:s|re)$/.exec(word) ?? /^(what|who|how|where|that|there)s$/.exec(word);
  if (short) return [make(text, short[1] ?? '', start, end), make(text, 'is', start, end)];
  const [first = word] = word.split("'");
  const base = ABBREVIATIONS.get(first) ?? first;
  const times = ['once', 'twice'].indexOf(base) + 1;
  if (times > 0) return [{ ...make(text, base, start, end), number: times, sign: 'times' }];
  const number = NUMBER_WORDS.indexOf(base);
  return [{ ...make(text, base, start, end), ...(number >= 0 && { number }) }];
}

function make(text: string, word: string, start: number, end: number): Token {
  return { text, word, lemma: toSingular(word), start, end };
}

function toNumber(text: string, start: number): Token {
  const [, minus, sign, digits = '', factor = '', tail = ''] =
    /^(-?)([$€£]?)(\d+(?:[.,]\d+)*)\s?([a-z]*)([%+]?)$/i.exec(text) ?? [];
  const size = Number(digits.replace(/,(?=\d{3})/g, '')) * (FACTORS[factor.toLowerCase()] ?? 1);
  const value = minus ? -size : size;
  const word = `${digits}${factor.toLowerCase()}${tail === '+' ? '+' : ''}`;
  const mark = sign ? '$' : tail === '%' ? '%' : undefined;
  const isNumber = Number.isFinite(value) && tail !== '+';
  return { text, word, lemma: word, start, end: start + text.length, ...(isNumber && { number: value, sign: mark }) };
}
