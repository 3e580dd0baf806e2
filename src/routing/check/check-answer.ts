import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import type { NumberCheck } from '../../schema/conversation/turn.ts';
import { isInside, type Part, type Sentence, splitSentences } from './answer-parts.ts';
import { markBehind, type NamedSource, readAttributions } from './attribution.ts';
import type { ClaimChecker } from './claim-checker.ts';
import { type ExecutedQuery, readExecuted } from './executed-query.ts';
import { type Figure, findFigures } from './find-figures.ts';
import { findNames, type NameMention } from './find-names.ts';
import { findPeriods, type PeriodMention } from './find-periods.ts';
import { locateFigure, type Place, type Scope } from './locate-figure.ts';
import { type ResultTable, readResultTables } from './result-tables.ts';

export interface CheckInput {
  text: string;
  question: string;
  calls: readonly ToolCall[];
  sources: readonly NamedSource[];
  /** The text with the lines that quote the reading of a query; `text` has blanks in their places. */
  whole?: string;
  /** Holds words against the executed queries. Absent if the words of the data are not known. */
  claims?: ClaimChecker | undefined;
}

/**
 * Looks up every figure and every quotation of an answer in the tool results. A figure about a name must be in a row
 * with that name. A figure with a cited source must come from that source. Words about an executed query must fit it.
 */
export function checkAnswer({ text, question, calls, sources, whole = text, claims }: CheckInput): NumberCheck[] {
  const tables = readResultTables(calls);
  if (tables.length === 0) return [];
  const sentences = splitSentences(text);
  const attributions = readAttributions(text, sentences, sources);
  const names = findNames(text, tables);
  const tablesAt = (start: number) => {
    const index = sentences.findIndex((sentence) => start >= sentence.start && start < sentence.end);
    const domain = markBehind(text, start, sentences[index]?.end ?? start, sources) ?? attributions[index];
    return tables.filter((table) => domain === undefined || table.domain === domain);
  };
  const executed = readExecuted(calls);
  const areChecked = claims !== undefined && executed.length > 0;
  const periods = findPeriods(text).filter((period) => areChecked || isAsked(period, question));
  const quotes = checkQuotes({ text, question, tables, tablesAt });
  const checks = findFigures(text)
    .filter((figure) => ![...quotes, ...periods].some((part) => isInside(figure, part)) && isChecked(figure, tables))
    .map((figure) => {
      const inName = names.find((name) => isInside(figure, name));
      if (inName) return toCheck(figure, placeOfName(inName, tables));
      const index = sentences.findIndex((sentence) => isInside(figure, sentence));
      const scope = scopeOf({ figure, sentences, index, names, text });
      const sentence = textOf(text, sentences[index]);
      const input = { tables: tablesAt(figure.start), sentence };
      const paired = pairedName({ figure, sentences, index, names, text });
      const place =
        locateFigure(figure, { ...input, scope }) ?? (paired && locateFigure(figure, { ...input, scope: paired }));
      return toCheck(figure, place ?? placeInQuery(figure, executed));
    });
  const looked = [...checks, ...quotes];
  const wrong = claims?.({ text, whole, sentences, names, checks: looked, executed }) ?? [];
  const kept = looked.filter((check) => !wrong.some((claim) => isInside(check, claim)));
  return [...kept, ...wrong].sort((a, b) => a.start - b.start);
}

/** "The last 30 days", in the words of the question, is its period and no figure. */
function isAsked(period: PeriodMention, question: string): boolean {
  return question.toLowerCase().includes(period.text.toLowerCase());
}

/** A number of a condition, such as "above $200", is a repetition of the query. */
function placeInQuery(figure: Figure, executed: readonly ExecutedQuery[]): Place | undefined {
  const own = executed.find(({ query }) =>
    [...query.numbers, ...query.having].some(({ value }) => value === figure.value),
  );
  return own && { callId: own.callId };
}

/** Number words count as figures only before a noun that is a column of the results, or as percents. */
function isChecked(figure: Figure, tables: readonly ResultTable[]): boolean {
  if (!figure.isWord || figure.kind === 'percent') return true;
  const columns = tables.flatMap(({ rows }) => Object.keys(rows[0] ?? {}));
  const noun = figure.after.replace(/s$/, '');
  return (
    noun.length > 2 && columns.some((column) => column.split(/[_.]/).some((word) => word.replace(/s$/, '') === noun))
  );
}

interface ScopeInput {
  figure: Figure;
  sentences: readonly Sentence[];
  index: number;
  names: readonly NameMention[];
  text: string;
}

const LEADING_PRONOUN = /^\s*(?:it|this|that|they)\b/i;

/**
 * The names that a figure is about: those in its own segment, else the nearest before it, else the nearest after it.
 */
function scopeOf({ figure, sentences, index, names, text }: ScopeInput): Scope {
  const sentence = sentences[index];
  if (!sentence) return { names: [], isOwn: false };
  const at = sentence.segments.findIndex((segment) => isInside(figure, segment));
  const namesIn = (part: Part | undefined) =>
    part ? names.filter((name) => isInside(name, part)).map(({ name }) => name) : [];
  const own = namesIn(sentence.segments[at]);
  if (own.length > 0) return { names: own, isOwn: true };
  const before =
    sentence.segments
      .slice(0, Math.max(0, at))
      .toReversed()
      .map(namesIn)
      .find((found) => found.length > 0) ?? [];
  const isPronoun = before.length === 0 && LEADING_PRONOUN.test(textOf(text, sentence.segments[at]));
  const referred = isPronoun ? namesIn(sentences[index - 1]).slice(-1) : [];
  if (referred.length > 0) return { names: referred, isOwn: false };
  const behind =
    sentence.segments
      .slice(at + 1)
      .map(namesIn)
      .find((found) => found.length > 0) ?? [];
  return { names: before.length > 0 ? before : behind, isOwn: false };
}

/** "X and Y made 5 and 7": with as many names as figures, the first figure is about the first name, and so on. */
function pairedName({ figure, sentences, index, names, text }: ScopeInput): Scope | undefined {
  const sentence = sentences[index];
  if (!sentence) return undefined;
  const own = names.filter((name) => isInside(name, sentence));
  const figures = findFigures(textOf(text, sentence)).filter(
    ({ start, end }) =>
      !own.some((name) => isInside({ start: start + sentence.start, end: end + sentence.start }, name)),
  );
  const at = figures.findIndex(({ start }) => start + sentence.start === figure.start);
  const name = own[at]?.name;
  return name !== undefined && own.length > 1 && own.length === figures.length
    ? { names: [name], isOwn: true }
    : undefined;
}

function textOf(text: string, part: Part | undefined): string {
  return part ? text.slice(part.start, part.end) : '';
}

/** A figure inside a name, such as an age group, is found where the name is found. */
function placeOfName({ name }: NameMention, tables: readonly ResultTable[]): Place | undefined {
  for (const { callId, rows } of tables) {
    for (const [row, cells] of rows.entries()) {
      const column = Object.keys(cells).find((key) => String(cells[key]).toLowerCase() === name.toLowerCase());
      if (column !== undefined) return { callId, row, column };
    }
  }
  return undefined;
}

function toCheck({ text, start, end }: Figure, place: Place | undefined): NumberCheck {
  if (!place) return { text, start, end, found: false };
  const { callId, row, column } = place;
  return {
    text,
    start,
    end,
    found: true,
    call_id: callId,
    ...(row !== undefined && { row }),
    ...(column && { column }),
  };
}

const QUOTES = /“([^“”\n]{2,600})”|"([^"\n]{2,600})"/g;

interface QuoteInput {
  text: string;
  question: string;
  tables: readonly ResultTable[];
  /** The tables that a quotation at this position must come from. */
  tablesAt(start: number): readonly ResultTable[];
}

/** Every quotation must occur word for word in a single cell. A quotation that combines several cells is reported. */
function checkQuotes({ text, question, tables, tablesAt }: QuoteInput): NumberCheck[] {
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
