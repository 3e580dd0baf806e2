export type ColumnType = 'integer' | 'real' | 'text';

/** Watches the values of one column and says what they all are. Empty values say nothing. */
export interface TypeWatch {
  see(value: string): void;
  type(): ColumnType;
}

/** A leading zero, as in a postal code, makes a text of it; so does a number that would lose digits. */
const INTEGER = /^-?(?:0|[1-9]\d{0,14})$/;
const REAL = /^-?(?:0|[1-9]\d*)?\.\d+(?:[eE][+-]?\d+)?$|^-?(?:0|[1-9]\d*)[eE][+-]?\d+$/;

export function createTypeWatch(): TypeWatch {
  let isInteger = true;
  let isReal = true;
  let hasValue = false;
  return {
    see(value) {
      if (value === '' || !isReal) return;
      hasValue = true;
      if (INTEGER.test(value)) return;
      isInteger = false;
      isReal = REAL.test(value);
    },
    type() {
      if (!hasValue) return 'text';
      if (isInteger) return 'integer';
      return isReal ? 'real' : 'text';
    },
  };
}

/** A field as it is stored: nothing for an empty one. */
export function toStored(value: string, type: ColumnType): string | number | null {
  if (value === '') return null;
  return type === 'text' ? value : Number(value);
}
