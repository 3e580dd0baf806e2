import { isObject, type JsonObject } from '../../schema/json.ts';
import type { Outcome } from '../conversation.ts';
import { describeOutcome } from '../tools/describe-result.ts';

const MAX_CHARS = 4_000;
const LEAST_CHARS = 1_000;
/** A page ends between words if there is a gap this close to its end. */
const GAP_CHARS = 200;

/** A part of a file as shown to the user. */
export interface FilePage {
  filename: string;
  text: string;
  /** The offset of the next part; absent at the end. */
  next?: number;
  verdict?: string;
  detail?: string;
}

/** The number of characters shown per file. */
export function pageChars(files: number): number {
  return Math.max(LEAST_CHARS, Math.floor(MAX_CHARS / Math.max(1, files)));
}

/** Reads the page in a reading tool's result; undefined if the result holds no file text. */
export function readPage(outcome: Outcome, offset: number, maxChars: number): FilePage | undefined {
  const result = 'error' in outcome ? undefined : toFields(outcome.result);
  if (typeof result?.text !== 'string') return undefined;
  const text = cutAtGap(result.text, maxChars);
  const { filename, total_chars: total, verdict, detail } = result;
  const next = offset + text.length;
  const end = typeof total === 'number' ? total : offset + result.text.length;
  return {
    filename: String(filename ?? 'The file'),
    text: text.trim(),
    ...(next < end && text !== '' && { next }),
    ...(typeof verdict === 'string' && { verdict }),
    ...(typeof detail === 'string' && { detail }),
  };
}

/** A result that was too large arrives as cut text; its beginning is complete. */
function toFields(result: JsonObject[string]): JsonObject | undefined {
  if (isObject(result)) return result;
  if (typeof result !== 'string') return undefined;
  const match =
    /^\{"filename":("(?:[^"\\]|\\.)*"),"total_chars":(\d+),.*?"text":"((?:[^"\\]|\\[^u]|\\u[\da-f]{4})*)/is.exec(
      result,
    );
  if (!match) return undefined;
  // Both are complete JSON strings: the pattern stops before the cut.
  return { filename: JSON.parse(String(match[1])), total_chars: Number(match[2]), text: JSON.parse(`"${match[3]}"`) };
}

function cutAtGap(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, maxChars);
  const gap = Math.max(cut.lastIndexOf('\n'), cut.lastIndexOf(' '));
  if (gap >= maxChars - GAP_CHARS) return cut.slice(0, gap + 1);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** Writes a page: the file's name, its text, and its problems. */
export function describePage(page: FilePage, offset: number): string {
  const { filename, text, verdict, detail } = page;
  if (verdict === 'refused') return `I couldn't read ${filename}${detail ? `: ${toClause(detail)}` : ''}.`;
  if (text === '' && offset > 0) return `That was all of ${filename}.`;
  if (text === '') return `I found no text in ${filename}.`;
  const head = offset > 0 ? `${filename} goes on:` : `${filename} says:`;
  const partly = verdict === 'partly' && offset === 0 ? `I could read only a part of ${filename}: ${detail}.\n\n` : '';
  return `${partly}${head}\n\n${IS_MARKDOWN.test(filename) ? text : keepLines(text)}`;
}

/** Files that are Markdown, or become it when they are read. */
const IS_MARKDOWN = /\.(?:md|markdown|docx|xlsx|pptx|csv)$/i;

/** Answers are Markdown, where a line ends only with two spaces or a backslash. */
function keepLines(text: string): string {
  return text.replace(/(?<=\S)[ \t]*\n(?=[^\n])/g, '  \n');
}

/** A reason that continues a sentence about the file needs a pronoun. */
function toClause(detail: string): string {
  return /^(?:is|was|has|holds|declares|cannot|could|needs|does|did|took|would|contains|must)\b/.test(detail)
    ? `it ${detail}`
    : detail;
}

/** Lists the passages of a file that contain a text. */
export function describePassages(outcome: Outcome, wanted: string): string {
  const result = 'error' in outcome || !isObject(outcome.result) ? undefined : outcome.result;
  if (!Array.isArray(result?.passages)) return describeOutcome(outcome);
  const passages = result.passages.flatMap((passage) => (isObject(passage) ? [String(passage.text)] : []));
  const filename = String(result.filename ?? 'The file');
  if (passages.length === 0) return `${filename} says nothing of '${wanted}'.`;
  return `${filename} says of '${wanted}':\n\n${passages.map((text) => `- …${text.trim()}…`).join('\n')}`;
}
