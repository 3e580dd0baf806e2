import { setImmediate } from 'node:timers/promises';
import { decodeText } from './decode-text.ts';
import { type Conversion, type ConversionContext, type Convert, count } from './job/conversion.ts';
import { LIMITS } from './limits.ts';
import { listFaults, readCsv } from './read-csv.ts';

const DELIMITERS = [',', ';', '\t', '|'];

/** A CSV file as text; rows of another width and misplaced quotes become part of the verdict. */
export const convertCsv: Convert = async (bytes, context) => {
  const { text, conversion } = await writeText(bytes, context);
  const faults = await findFaults(text);
  return { ...conversion, left: [...conversion.left, ...faults] };
};

async function findFaults(text: string): Promise<string[]> {
  // Only the beginning of a longer text is kept, so faults at the cut would say nothing about the file.
  if (text.length > LIMITS.textChars) return [];
  const hint = /^sep=(.)\n/i.exec(text)?.[1];
  const delimiter = hint ?? findDelimiter(text.slice(0, text.indexOf('\n') + 1 || undefined));
  if (delimiter === undefined) return [];
  const faults = await readCsv(hint === undefined ? text : text.slice(text.indexOf('\n') + 1), { delimiter });
  const before = hint === undefined ? 0 : 1;
  return listFaults(faults, ({ line, problem }) => `line ${line + before}: ${problem}`);
}

/**
 * The delimiter that is most frequent in the first line; undefined if there is none, because then it is a list, not a
 * table.
 */
export function findDelimiter(line: string): string | undefined {
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, times: line.split(delimiter).length - 1 }));
  const best = counts.reduce((a, b) => (b.times > a.times ? b : a));
  return best.times > 0 ? best.delimiter : undefined;
}

/** Text is emitted in pieces of whole lines; other work runs in between. */
const PIECE_CHARS = 64 * 1024;

export const convertText: Convert = async (bytes, context) => (await writeText(bytes, context)).conversion;

/** Emits a text and also returns it, with uniform line ends. */
export async function writeText(
  bytes: Buffer,
  { emit }: Pick<ConversionContext, 'emit'>,
): Promise<{ text: string; conversion: Conversion }> {
  const { text: decoded, guessed, lost } = decodeText(bytes);
  const text = withoutLastLineEnds(decoded.replace(/\r\n?/g, '\n'));
  let lines = text === '' ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  for (let at = 0, isWanted = true; isWanted && at < text.length; ) {
    const end = endOfPiece(text, at);
    isWanted = emit(text.slice(at, end));
    at = end;
    await setImmediate();
  }
  const size = count(lines, 'line');
  const left = lost === undefined ? [] : [`${count(lost, 'character')} could not be decoded`];
  return { text, conversion: { size: guessed ? `${size}, read as ${guessed}` : size, left } };
}

/** A loop, because a regular expression would take quadratic time in the number of line ends. */
function withoutLastLineEnds(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\n') end--;
  return text.slice(0, end);
}

function endOfPiece(text: string, start: number): number {
  if (text.length - start <= PIECE_CHARS) return text.length;
  const lineEnd = text.indexOf('\n', start + PIECE_CHARS);
  return lineEnd < 0 ? text.length : lineEnd + 1;
}
