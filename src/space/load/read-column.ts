import { type ColumnType, createTypeWatch, isMissing, toStored } from './column-type.ts';

export type Stored = string | number | null;

/** A note about how a file was read, for users of its figures. */
export interface TableNote {
  /** Set if only users of this column are affected. */
  column?: string;
  text: string;
}

/** Reads the fields of a column one by one and remembers its type and its gaps. */
export interface ColumnReader {
  readonly name: string;
  /** Returns the value to store. */
  read(value: string, line: number): Stored;
  /** The type that fits all fields so far. */
  type(): ColumnType;
  /** True if a field did not fit the guessed type; its stored values cannot be used. */
  isWrong(): boolean;
  seen(): number;
  missing(): number;
  notes(): TableNote[];
}

export interface ColumnReaderOptions {
  name: string;
  /** The file's name for messages. */
  file: string;
  /** The type that the first rows show. */
  type: ColumnType | undefined;
}

const MAX_NAMED = 3;
const MAX_SHOWN_CHARS = 40;
/** An empty id is no gap in a figure: a receipt, for example, has no origin. */
const IS_ID = /(?:^|_)id$/i;

export function createColumnReader({ name, file, type: guessed = 'text' }: ColumnReaderOptions): ColumnReader {
  const watch = createTypeWatch();
  const kinds = new Set<string>();
  let seen = 0;
  let empty = 0;
  let missing = 0;
  let firstLine: number | undefined;
  let isWrong = false;
  const note = (value: string, line: number) => {
    if (value === '') empty++;
    else missing++;
    firstLine ??= line;
    if (kinds.size < MAX_NAMED) kinds.add(value === '' ? 'empty' : shorten(value));
  };
  return {
    name,
    read(value, line) {
      seen++;
      const trimmed = value.trim();
      if (trimmed === '' || isMissing(trimmed)) note(trimmed, line);
      else watch.see(trimmed);
      const stored = toStored(value, guessed);
      if (stored !== undefined) return stored;
      isWrong = true;
      return null;
    },
    type: () => watch.type(),
    isWrong: () => isWrong,
    seen: () => seen,
    missing: () => (watch.type() === 'text' ? empty : empty + missing),
    notes() {
      const isText = watch.type() === 'text';
      const stray = isText ? describeStray(watch.stray(), { name, file }) : [];
      const count = isText ? empty : empty + missing;
      if (IS_ID.test(name) || count === 0) return stray;
      const fault = `${count} of ${seen} values of ${name} ${count === 1 ? 'is' : 'are'} missing (${[...kinds].join(', ')}, first on line ${firstLine} of ${file}).`;
      return [
        ...stray,
        { column: name, text: isText ? `${fault} Rows without ${name} are in no group by it.` : fault },
      ];
    },
  };
}

type Stray = ReturnType<ReturnType<typeof createTypeWatch>['stray']>;

function describeStray(stray: Stray, { name, file }: { name: string; file: string }): TableNote[] {
  if (!stray) return [];
  const found = `${stray.count} of ${stray.total} values are not numbers, such as ${shorten(stray.value)}.`;
  return [{ column: name, text: `${name} of ${file} is read as text, because ${found}` }];
}

function shorten(value: string): string {
  return JSON.stringify(value.length > MAX_SHOWN_CHARS ? `${value.slice(0, MAX_SHOWN_CHARS)}…` : value);
}
