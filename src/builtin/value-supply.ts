/** Values that stand in a message, each given out once. */
export interface Supply {
  text: string;
  quoted: Found[];
  numbers: Found<number>[];
  names: Found[];
  /** Everything that may still be used. */
  isFree(at: number, length: number): boolean;
  take(at: number, length: number): void;
}

export interface Found<T = string> {
  value: T;
  at: number;
  length: number;
}

const NUMBER_WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const NUMBER = new RegExp(
  String.raw`(?<![\w.])(-?\$?\d+(?:,\d{3})*(?:\.\d+)?)(?![\w^]*[\^*])(\s?(?:%|k|K|million|thousand|billion)\b|%)?|\b(${NUMBER_WORDS.slice(1).join('|')})\b`,
  'g',
);
const SCALES: Readonly<Record<string, number>> = { k: 1e3, thousand: 1e3, million: 1e6, billion: 1e9 };
const QUOTED = /"([^"]+)"|(?<=^|[\s(:,])'([^']+)'(?=$|[\s.,!?;:)])/g;
const NAME = /\b[A-Z][\w&'-]*(?:(?:\s+(?:of|the|de|la|and|&)\s+|,\s+|\s+|\.\s?)(?=[A-Z])[A-Z][\w&'.-]*)*/g;
const NOT_A_NAME =
  /^(?:I|I'm|I'd|I've|I'll|What|Which|Who|How|When|Where|Why|Can|Could|Would|Please|Find|Get|Show|Tell|Give|Is|Are|Do|Does|The|A|An|My|Calculate|Create|Add|Set|Search|Book|Play|Send|Delete|Update|Make|Check|Look|Help|Let|If|In|On|At|For|From|Also|And|Hey|Hi|Hello|Compute|Determine|Convert|List|Retrieve|Fetch|Order|Buy|Change|Use)$/;

export function readSupply(text: string): Supply {
  const used: Found[] = [];
  const isFree = (at: number, length: number) =>
    used.every((part) => at + length <= part.at || at >= part.at + part.length);
  return {
    text,
    quoted: [...text.matchAll(QUOTED)].map((match) => ({
      value: match[1] ?? match[2] ?? '',
      at: match.index,
      length: match[0].length,
    })),
    numbers: readNumbers(text),
    names: [...text.matchAll(NAME)].flatMap((match) => readName(match)),
    isFree,
    take: (at, length) => used.push({ value: '', at, length }),
  };
}

/** Digits before number words: "three sides of 5, 4 and 3". */
function readNumbers(text: string): Found<number>[] {
  const found = [...text.matchAll(NUMBER)].map((match) => ({
    value: readNumber(match),
    at: match.index,
    length: match[0].length,
    isWord: match[3] !== undefined,
  }));
  return found
    .toSorted((a, b) => Number(a.isWord) - Number(b.isWord))
    .map(({ value, at, length }) => ({ value, at, length }));
}

function readNumber([, digits, unit = '', word]: RegExpExecArray | RegExpMatchArray): number {
  if (digits === undefined) return NUMBER_WORDS.indexOf(String(word).toLowerCase());
  const value = Number(digits.replace(/[$,]/g, ''));
  return value * (SCALES[unit.trim().toLowerCase()] ?? 1);
}

/** A name in capitals, without the sentence's own first word. */
function readName(match: RegExpExecArray): Found[] {
  const [first = '', ...rest] = match[0].split(/\s+/);
  if (!NOT_A_NAME.test(first))
    return [{ value: match[0].replace(/[.,]$/, ''), at: match.index, length: match[0].length }];
  const value = rest.join(' ');
  return value === '' ? [] : [{ value, at: match.index + match[0].indexOf(value), length: value.length }];
}

/** The first value that is still free; it is taken. */
export function takeFirst<T>(
  supply: Supply,
  found: readonly Found<T>[],
  fits: (found: Found<T>) => boolean = () => true,
): T | undefined {
  const first = found.find((part) => supply.isFree(part.at, part.length) && fits(part));
  if (!first) return undefined;
  supply.take(first.at, first.length);
  return first.value;
}
