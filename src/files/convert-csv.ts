import type { Convert } from './conversion.ts';
import { writeText } from './convert-text.ts';
import { LIMITS } from './limits.ts';
import { listFaults, readCsv } from './read-csv.ts';

const DELIMITERS = [',', ';', '\t', '|'];

/** A CSV as its text; rows that do not fit the first one and misplaced quotes are part of the verdict. */
export const convertCsv: Convert = async (bytes, context) => {
  const { text, conversion } = await writeText(bytes, context);
  const faults = await findFaults(text);
  return { ...conversion, left: [...conversion.left, ...faults] };
};

async function findFaults(text: string): Promise<string[]> {
  // A longer text keeps its beginning only; its end says nothing about the file.
  if (text.length > LIMITS.textChars) return [];
  const hint = /^sep=(.)\n/i.exec(text)?.[1];
  const delimiter = hint ?? findDelimiter(text.slice(0, text.indexOf('\n') + 1 || undefined));
  if (delimiter === undefined) return [];
  const faults = await readCsv(hint === undefined ? text : text.slice(text.indexOf('\n') + 1), { delimiter });
  const before = hint === undefined ? 0 : 1;
  return listFaults(faults, ({ line, problem }) => `line ${line + before}: ${problem}`);
}

/** The one that the first line has most of; undefined where it has none, which is a list and no table. */
function findDelimiter(line: string): string | undefined {
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, times: line.split(delimiter).length - 1 }));
  const best = counts.reduce((a, b) => (b.times > a.times ? b : a));
  return best.times > 0 ? best.delimiter : undefined;
}
