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
  /** Reading ends after this many rows. */
  maxRows?: number;
}

/** Large enough to be fast, small enough to keep the event loop responsive. */
const PIECE_BYTES = 64 * 1024;
/** Reading stops after this many faults, because csv-parse creates an error with a stack for each, which is slow. */
const MAX_FAULTS = 100;
/** Number of faults that a message names. */
const MAX_NAMED = 3;
const LINE_ENDS = ['\r\n', '\n', '\r'];

/**
 * Reads CSV (RFC 4180) row by row, from a text or from pieces of UTF-8, and returns its faults: rows with more or fewer
 * fields than the first, and a misplaced quote, which ends the reading, as the hundredth fault does. Empty lines are
 * skipped.
 */
export async function readCsv(
  source: string | AsyncIterable<Buffer>,
  { delimiter = ',', onRow, maxRows = Number.POSITIVE_INFINITY }: ReadCsvOptions = {},
): Promise<CsvFault[]> {
  const lines = createLineCounter();
  const faults: CsvFault[] = [];
  let width: number | undefined;
  let end = 0;
  let rows = 0;
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
      if (faults.length === MAX_FAULTS) throw new Enough();
      onRow?.({ line, fields });
      if (++rows >= maxRows) throw new Enough();
      return null;
    },
  });
  parser.resume();
  try {
    await pipeline(typeof source === 'string' ? cut(Buffer.from(source)) : source, lines.pass, parser);
  } catch (error) {
    if (error instanceof CsvError) faults.push({ line: lines.rowAt(end), problem: describeQuote(error) });
    else if (!(error instanceof Enough)) throw error;
  }
  return faults;
}

/** Ends the reading early. */
class Enough extends Error {}

/** Describes the first faults, and the number of further ones. */
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

/** Counts line ends by offset, because csv-parse's own count is wrong after a CRLF inside quotes. */
function createLineCounter() {
  /** The pieces that are not yet counted, the place in the first one, and the offset in the whole. */
  const pieces: Buffer[] = [];
  let place = 0;
  let at = 0;
  let line = 1;
  /** True if the first piece has a carriage return; without one its line ends are found faster. */
  let hasReturn = true;
  const step = (count = 1) => {
    at += count;
    place += count;
    if (place < (pieces[0]?.length ?? 0)) return;
    pieces.shift();
    place = 0;
    hasReturn = pieces[0]?.includes(RETURN) ?? true;
  };
  /** Moves to the next line end, the next piece or the offset, whichever comes first. */
  const skipTo = (offset: number) => {
    const [piece] = pieces;
    if (hasReturn || !piece) return step();
    const end = Math.min(piece.length, place + offset - at);
    const found = piece.indexOf(LINE_FEED, place);
    step((found < 0 ? end : Math.min(found, end)) - place);
  };
  const passLineEnd = () => {
    const isReturn = pieces[0]?.[place] === RETURN;
    step();
    if (isReturn && pieces[0]?.[place] === LINE_FEED) step();
    line++;
  };
  const isAtLineEnd = () => {
    const byte = pieces[0]?.[place];
    return byte === LINE_FEED || byte === RETURN;
  };
  return {
    /** Hands the pieces on and keeps those that are not counted yet. */
    async *pass(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const piece of source) {
        if (piece.length === 0) continue;
        if (pieces.push(piece) === 1) hasReturn = piece.includes(RETURN);
        yield piece;
      }
    },
    /** The line of the first row at or after this offset; offsets must grow from call to call. */
    rowAt(offset: number): number {
      while (at < offset) {
        if (isAtLineEnd()) passLineEnd();
        else skipTo(offset);
      }
      while (isAtLineEnd()) passLineEnd();
      return line;
    },
  };
}
