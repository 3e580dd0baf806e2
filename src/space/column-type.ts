export type ColumnType = 'integer' | 'real' | 'text';

/** A leading zero, as in a postal code, makes a text of it; so does a number that would lose digits. */
const INTEGER = /^-?(?:0|[1-9]\d{0,14})$/;
const REAL = /^-?(?:0|[1-9]\d*)?\.\d+(?:[eE][+-]?\d+)?$|^-?(?:0|[1-9]\d*)[eE][+-]?\d+$/;
/** Digits that are a code: of these a column is text on purpose. */
const CODE = /^[+-]?\d+$/;
/** Words and signs that people and programs put where a number is not known. */
const MISSING: ReadonlySet<string> = new Set(
  'n/a na n.a. n.a #n/a null nil none nan missing unknown - -- – — ? . #div/0! #value! #ref! #num! #null! #name?'.split(
    ' ',
  ),
);

/** Whether a value of a number column says that there is no value. */
export function isMissing(value: string): boolean {
  return MISSING.has(value.trim().toLowerCase());
}

/** Collects the values of one column and decides its type. */
export interface TypeWatch {
  see(value: string): void;
  type(): ColumnType;
  /** Set where nearly all values are numbers and a few others make a text column of it. */
  stray(): Stray | undefined;
}

interface Stray {
  /** The first value that is no number. */
  value: string;
  count: number;
  total: number;
}

/** From this share of numbers on, the other values are more likely mistakes than the column's meaning. */
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

/** A field as it is stored; undefined when a number is needed and the field holds something else. */
export function toStored(value: string, type: ColumnType): string | number | null | undefined {
  if (value === '') return null;
  if (type === 'text') return value;
  if (value.trim() === '' || isMissing(value)) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
