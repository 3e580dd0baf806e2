import { writeText } from './convert-text.ts';
import type { Convert } from './job/conversion.ts';
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
function findDelimiter(line: string): string | undefined {
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, times: line.split(delimiter).length - 1 }));
  const best = counts.reduce((a, b) => (b.times > a.times ? b : a));
  return best.times > 0 ? best.delimiter : undefined;
}
