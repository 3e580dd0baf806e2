/** What a converter works with: it hands text on as it finds it, so that what was read survives whatever comes later. */
export interface ConversionContext {
  /** Hands on a piece of text; false = enough, stop. */
  emit(text: string): boolean;
  /** For people who wait, such as "page 3 of 50". */
  progress(text: string): void;
  /** The time is nearly over: stop and say what is left out. */
  isLate(): boolean;
  /** What pictures of text are read as, such as "eng". */
  languages: readonly string[];
  /** Where data for languages lies that do not come with us. */
  languageFolder?: string | undefined;
}

/** What a file held. */
export interface Conversion {
  /** Such as "3 pages". */
  size?: string;
  /** What is missing from the text, each in words: "page 3 is damaged". Empty = everything was read. */
  left: string[];
}

/** Reads one type of file. Throws `Unreadable` for what cannot be read. */
export type Convert = (bytes: Buffer, context: ConversionContext) => Promise<Conversion>;

export function count(number: number, one: string): string {
  return `${number.toLocaleString('en-US')} ${one}${number === 1 ? '' : 's'}`;
}
