export type ColumnType = 'integer' | 'real' | 'text';

/** Numbers with a leading zero, such as postal codes, stay text. So do numbers that would lose digits. */
const INTEGER = /^-?(?:0|[1-9]\d{0,14})$/;
const REAL = /^-?(?:0|[1-9]\d*)?\.\d+(?:[eE][+-]?\d+)?$|^-?(?:0|[1-9]\d*)[eE][+-]?\d+$/;
/** Digits that may be a code: such a column is text on purpose. */
const CODE = /^[+-]?\d+$/;
/** Words and signs that people and programs write for an unknown number. */
const MISSING: ReadonlySet<string> = new Set(
  'n/a na n.a. n.a #n/a null nil none nan missing unknown - -- – — ? . #div/0! #value! #ref! #num! #null! #name?'.split(
    ' ',
  ),
);

const LONGEST_MISSING = Math.max(...[...MISSING].map((word) => word.length));

/** True if a value of a number column means that there is no value. Numbers and long texts are sorted out first. */
export function isMissing(value: string): boolean {
  const first = value.charCodeAt(0);
  if (first >= 48 && first <= 57) return false; // a digit
  const word = value.trim();
  return word.length <= LONGEST_MISSING && MISSING.has(word.toLowerCase());
}

/** Collects the values of a column and decides its type. */
export interface TypeWatch {
  see(value: string): void;
  type(): ColumnType;
  /** Set if nearly all values are numbers and a few others make the column text. */
  stray(): Stray | undefined;
}

interface Stray {
  /** The first value that is not a number. */
  value: string;
  count: number;
  total: number;
}

/** From this share of numbers on, the other values are more likely mistakes. */
const NEARLY_ALL = 0.9;

/** Empty and missing values do not count. */
export function createTypeWatch(): TypeWatch {
  let isInteger = true;
  let isCode = false;
  let numbers = 0;
  let others = 0;
  let first: string | undefined;
  return {
    see(raw) {
      const value = raw.trim();
      if (value === '' || isMissing(value)) return;
      if (INTEGER.test(value)) numbers++;
      else if (REAL.test(value)) {
        numbers++;
        isInteger = false;
      } else {
        others++;
        first ??= value;
        isCode ||= CODE.test(value);
      }
    },
    type() {
      if (numbers === 0 || others > 0) return 'text';
      return isInteger ? 'integer' : 'real';
    },
    stray() {
      const total = numbers + others;
      if (first === undefined || isCode || numbers < total * NEARLY_ALL) return undefined;
      return { value: first, count: others, total };
    },
  };
}

/** Converts a field for storage; undefined if a number is required and the field holds something else. */
export function toStored(value: string, type: ColumnType): string | number | null | undefined {
  if (value === '') return null;
  if (type === 'text') return value;
  if (value.trim() === '' || isMissing(value)) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
