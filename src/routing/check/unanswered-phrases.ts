import type { WordVectors } from '../../language/word-vectors.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../schema/json.ts';
import { namesOf } from '../decide/reasoning.ts';
import { type AnsweredQuery, findDropped } from './dropped-words.ts';

export interface UnansweredPhrasesInput {
  question: string;
  answered: readonly AnsweredQuery[];
  /** Set when a model rephrased the question: it may have dropped words, and added unimportant ones. */
  vectors?: WordVectors;
  /** True for words about a domain that is missing from the answer; the missing domain is reported separately. */
  isMissing?: (words: string) => boolean;
}

interface Part {
  words: string;
  column?: string;
}

/**
 * Finds parts of the question that the answer does not use, quoted from the question: words that no domain used,
 * conditions on a domain's own data that only another domain applied, and words that were never sent to a domain.
 */
export function findUnansweredPhrases({
  question,
  answered,
  vectors,
  isMissing = () => false,
}: UnansweredPhrasesInput): string[] {
  if (answered.length === 0) return [];
  const reports = answered.map((one) => ({
    ...one,
    parts: readParts(one.result).filter(({ words }) => isAsked(words, [question, one.query])),
  }));
  const isMeant = (part: Part) => !vectors || includesWords(question, part.words) || isPlainCondition(part);
  const unused = reports.flatMap((report) =>
    report.parts
      .filter((part) => isMeant(part) && isUnanswered(part, { report, reports, question }))
      .map(({ words }) => words),
  );
  const dropped = vectors ? findDropped({ question, answered, vectors }) : [];
  const unanswered = [...unused, ...dropped].filter((words) => !isMissing(words));
  const quoted = unanswered.map((words) => quoteFrom(question, words));
  return quoted.filter((text, at) => quoted.findIndex((other) => includesWords(other, text)) === at);
}

/** For example `"in Paris" and "by brand" were not taken into account.` */
export function describeUnansweredPhrases(unanswered: readonly string[]): string {
  const verb = unanswered.length === 1 ? 'was' : 'were';
  return `${namesOf(unanswered.map((text) => `"${text}"`))} ${verb} not taken into account.`;
}

interface Report extends AnsweredQuery {
  parts: Part[];
}

interface Surroundings {
  report: Report;
  reports: readonly Report[];
  question: string;
}

function isUnanswered(part: Part, { report, reports, question }: Surroundings): boolean {
  const others = reports.filter((other) => other !== report);
  const isPassedOn = !includesWords(question, part.words) && others.some(({ result }) => hasCell(result, part.words));
  if (isPassedOn) return false;
  const users = others.filter(
    ({ query, parts }) =>
      includesWords(query, part.words) && !parts.some(({ words }) => includesWords(words, part.words)),
  );
  if (users.length === 0) return true;
  return part.column !== undefined && users.some(({ result }) => hasCell(result, part.words));
}

/** A tool may report anything; only words of the question or the query count. */
function isAsked(words: string, texts: readonly string[]): boolean {
  return texts.some((text) => includesWords(text, words));
}

/** True for a value of the data, a number or a name. */
function isPlainCondition({ words, column }: Part): boolean {
  return column !== undefined || /\p{Lu}|\p{N}/u.test(words);
}

/** A long result is stored as cut text; the list is at its beginning. */
function readParts(result: Json): Part[] {
  const list = typeof result === 'string' ? readCutList(result) : isObject(result) && result.not_taken_into_account;
  return (Array.isArray(list) ? list : []).filter(isObject).flatMap(toPart);
}

/** Any tool may have written the text, so it may only look like a list. */
function readCutList(text: string): Json {
  return parseJson(/"not_taken_into_account":(\[[^\]]*\])/.exec(text)?.[1] ?? '') ?? [];
}

function toPart({ words, column }: JsonObject): Part[] {
  if (typeof words !== 'string' || words.trim() === '') return [];
  return [{ words, ...(typeof column === 'string' && { column }) }];
}

function hasCell(result: Json, words: string): boolean {
  const rows = isObject(result) && Array.isArray(result.rows) ? result.rows.filter(isObject) : [];
  const wanted = words.toLowerCase();
  return rows.some((row) => Object.values(row).some((cell) => String(cell).toLowerCase() === wanted));
}

function includesWords(text: string, words: string): boolean {
  return placeOf(text, words) >= 0;
}

function placeOf(text: string, words: string): number {
  const pattern = words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, String.raw`\s+`);
  return text.search(new RegExp(String.raw`(?<![\p{L}\p{N}])${pattern}(?![\p{L}\p{N}])`, 'iu'));
}

const LEAD =
  /(?<![\p{L}\p{N}])(?:(?:in|at|from|for|by|per|on|of|to|with|during|since|until|within|among|near|around|about|under|over|above|below|between|before|after|through|via|excluding|except|without|compared|compared to|versus|vs|than|more|less|fewer|each|every|the|our|their|last|past|previous|this|current)\s+)+$/iu;

/** Adds the preceding small words to the quotation: "in Paris", "since last month". */
function quoteFrom(question: string, words: string): string {
  const start = placeOf(question, words);
  if (start < 0) return words;
  const lead =
    LEAD.exec(question.slice(0, start))?.[0].replace(/^(?:(?:the|our|their|of|about|to|with)\s+)+/i, '') ?? '';
  return lead + question.slice(start, start + words.length);
}
