import type { NumberCheck } from '../../schema/conversation/turn.ts';
import type { ResultTable } from './result-tables.ts';

const QUOTES = /“([^“”\n]{2,600})”|"([^"\n]{2,600})"/g;

export interface QuoteInput {
  text: string;
  question: string;
  tables: readonly ResultTable[];
  /** The tables that a quotation at this position must come from. */
  tablesAt(start: number): readonly ResultTable[];
}

/** Every quotation must occur word for word in a single cell. A quotation that combines several cells is reported. */
export function checkQuotes({ text, question, tables, tablesAt }: QuoteInput): NumberCheck[] {
  return [...text.matchAll(QUOTES)].flatMap((match): NumberCheck[] => {
    const words = String(match[1] ?? match[2]);
    const start = match.index + 1;
    const place = { text: words, start, end: start + words.length };
    if (isRepeated(words, question, tables)) return [];
    const found = findCell(words, tablesAt(start));
    return [found ? { ...place, found: true, ...found } : { ...place, found: false }];
  });
}

/** Words of the question, of a column name or of the call are not quotations of a result. */
function isRepeated(words: string, question: string, tables: readonly ResultTable[]): boolean {
  const wanted = normalize(words);
  const columns = tables.flatMap(({ rows }) => Object.keys(rows[0] ?? {}));
  const known = [
    question,
    ...tables.map(({ asked }) => asked),
    ...columns.map((column) => column.replaceAll('_', ' ')),
  ];
  return known.some((text) => normalize(text).includes(wanted));
}

function findCell(
  words: string,
  tables: readonly ResultTable[],
): Pick<NumberCheck, 'call_id' | 'row' | 'column'> | undefined {
  const parts = words
    .split(/\s*(?:…|\.\.\.|\[…\])\s*/)
    .map(normalize)
    .filter((part) => part !== '');
  for (const { callId, rows, prose } of tables) {
    for (const [row, cells] of rows.entries()) {
      const column = Object.keys(cells).find((key) => holdsInOrder(String(cells[key] ?? ''), parts));
      if (column !== undefined) return { call_id: callId, row, column };
    }
    if (rows.length === 0 && holdsInOrder(prose, parts)) return { call_id: callId };
  }
  return undefined;
}

/** An ellipsis leaves words out; all parts must still come from the same text. */
function holdsInOrder(text: string, parts: readonly string[]): boolean {
  const whole = normalize(text);
  let at = 0;
  return parts.every((part) => {
    const found = whole.indexOf(part, at);
    at = found + part.length;
    return found >= 0;
  });
}

function normalize(text: string): string {
  return text
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/^[\s.,;:!?]+|[\s.,;:!?]+$/g, '');
}
