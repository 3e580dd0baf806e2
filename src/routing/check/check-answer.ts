import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import type { NumberCheck } from '../../schema/conversation/turn.ts';
import { isInside, type Part, type Sentence, splitSentences } from './answer-parts.ts';
import { markBehind, type NamedSource, readAttributions } from './attribution.ts';
import { checkQuotes } from './check-quotes.ts';
import { type Figure, findFigures } from './find-figures.ts';
import { findNames, type NameMention } from './find-names.ts';
import { locateFigure, type Place, type Scope } from './locate-figure.ts';
import { type ResultTable, readResultTables } from './result-tables.ts';

export interface CheckInput {
  text: string;
  question: string;
  calls: readonly ToolCall[];
  sources: readonly NamedSource[];
}

/**
 * Looks up every figure and every quotation of an answer in the tool results. A figure about a name must be in a row
 * with that name. A figure with a cited source must come from that source.
 */
export function checkAnswer({ text, question, calls, sources }: CheckInput): NumberCheck[] {
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
  const quotes = checkQuotes({ text, question, tables, tablesAt });
  const checks = findFigures(text)
    .filter((figure) => !quotes.some((quote) => isInside(figure, quote)) && isChecked(figure, tables))
    .map((figure) => {
      const inName = names.find((name) => isInside(figure, name));
      if (inName) return toCheck(figure, placeOfName(inName, tables));
      const index = sentences.findIndex((sentence) => isInside(figure, sentence));
      const scope = scopeOf({ figure, sentences, index, names, text });
      const sentence = textOf(text, sentences[index]);
      return toCheck(figure, locateFigure(figure, { tables: tablesAt(figure.start), scope, question, sentence }));
    });
  return [...checks, ...quotes].sort((a, b) => a.start - b.start);
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

const BACK_REFERENCE = /\b(?:it|its|it's|they|their|them|this|that|these|those|he|she|his|her)\b/i;

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
  const behind =
    sentence.segments
      .slice(at + 1)
      .map(namesIn)
      .find((found) => found.length > 0) ?? [];
  if (before.length > 0 || behind.length > 0) return { names: before.length > 0 ? before : behind, isOwn: false };
  const refersBack = BACK_REFERENCE.test(text.slice(sentence.start, sentence.end));
  const earlier = refersBack ? namesIn(sentences[index - 1]).slice(-1) : [];
  return { names: earlier, isOwn: false };
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
