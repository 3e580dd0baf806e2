import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';

export interface CsvRow {
  /** The line of the file on which the row begins. */
  line: number;
  fields: string[];
}

export interface CsvFault {
  line: number;
  problem: string;
}

export interface ReadCsvOptions {
  delimiter?: string;
  onRow?(row: CsvRow): void;
}

/** Large enough to be fast, small enough that others on the event loop get their turn in between. */
const PIECE_BYTES = 64 * 1024;
/** The reading ends after so many faults: csv-parse makes an error with a stack of each, which is slow. */
const MAX_FAULTS = 100;
/** Faults that a message names. */
const MAX_NAMED = 3;
const LINE_ENDS = ['\r\n', '\n', '\r'];

/**
 * Reads a CSV text (RFC 4180) row by row and returns its faults: rows with more or fewer fields than the first one, and
 * a misplaced quote, which ends the reading, as the hundredth fault does. Empty lines are skipped.
 */
export async function readCsv(text: string, { delimiter = ',', onRow }: ReadCsvOptions = {}): Promise<CsvFault[]> {
  const bytes = Buffer.from(text);
  const lines = createLineCounter(bytes);
  const faults: CsvFault[] = [];
  let width: number | undefined;
  let end = 0;
  const parser = parse({
    bom: true,
    delimiter,
    record_delimiter: LINE_ENDS,
    relax_column_count: true,
    skip_empty_lines: true,
    on_record(fields: string[], { bytes: after }) {
      const line = lines.rowAt(end);
      end = after;
      width ??= fields.length;
      if (fields.length !== width) faults.push({ line, problem: describeWidth(fields.length, width) });
      if (faults.length === MAX_FAULTS) throw new TooManyFaults();
      onRow?.({ line, fields });
      return null;
    },
  });
  parser.resume();
  try {
    await pipeline(cut(bytes), parser);
  } catch (error) {
    if (error instanceof CsvError) faults.push({ line: lines.rowAt(end), problem: describeQuote(error) });
    else if (!(error instanceof TooManyFaults)) throw error;
  }
  return faults;
}

class TooManyFaults extends Error {}

/** The first faults in words, and how many more there are. */
export function listFaults(faults: readonly CsvFault[], describe: (fault: CsvFault) => string): string[] {
  const more = faults.length - MAX_NAMED;
  const rest = faults.length >= MAX_FAULTS ? 'many more rows like these' : `${more} more like these`;
  return [...faults.slice(0, MAX_NAMED).map(describe), ...(more > 0 ? [rest] : [])];
}

async function* cut(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield bytes.subarray(at, at + PIECE_BYTES);
    await setImmediate();
  }
}

function describeWidth(found: number, expected: number): string {
  return `the row has ${found} ${found === 1 ? 'field' : 'fields'}, the first row has ${expected}`;
}

function describeQuote({ code }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'a quote is opened and never closed';
  if (code === 'INVALID_OPENING_QUOTE') return 'a quote is inside a value that does not begin with one';
  return 'a quoted value is followed by other text; a quote may be missing, or must be written twice';
}

const LINE_FEED = 10;
const RETURN = 13;

/** Counts line ends by offset. csv-parse's own count is wrong after a CRLF inside of quotes. */
function createLineCounter(bytes: Buffer) {
  let at = 0;
  let line = 1;
  const passLineEnd = () => {
    if (bytes[at] === RETURN && bytes[at + 1] === LINE_FEED) at++;
    at++;
    line++;
  };
  const isLineEnd = () => bytes[at] === LINE_FEED || bytes[at] === RETURN;
  return {
    /** The line of the first row at or after this offset; offsets must grow from call to call. */
    rowAt(offset: number): number {
      while (at < offset) {
        if (isLineEnd()) passLineEnd();
        else at++;
      }
      while (at < bytes.length && isLineEnd()) passLineEnd();
      return line;
    },
  };
}
