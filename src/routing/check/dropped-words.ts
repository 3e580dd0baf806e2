import { isSameBeginning } from '../../language/words.ts';
import type { Json } from '../../schema/json.ts';
import { readQuestionWords } from '../decide/question-words.ts';
import { namesOf } from '../decide/reasoning.ts';

/** A question that a domain answered. */
export interface AnsweredQuery {
  query: string;
  result: Json;
}

/** A model may say "customers" for "clients", so a common word after "for" counts as no condition. */
const CONDITION =
  /\b(?:in|at|from|by|per|during|since|until|within|among|near|around|excluding|except|without)\s+(?:(?:the|our|each|every|all)\s+)?$/i;
const SPAN =
  /\b(?:(?:last|past|previous|this)\s+(?:\w+\s+)?(?:days?|weeks?|months?|quarters?|years?)|yesterday|january|february|march|april|june|july|august|september|october|november|december)\b/i;
const TIME =
  /\b(?:days?|weeks?|months?|quarters?|years?|yesterday|date|[a-z]+_date|20\d\d|january|february|march|april|june|july|august|september|october|november|december)\b/i;

/**
 * Finds conditions of a question that occur in no query and no result, quoted from the question. Only plain conditions
 * count: a number, a time span, a name, or the words after "in" or "by". A model may rephrase everything else.
 */
export function findDropped(question: string, answered: readonly AnsweredQuery[]): string[] {
  if (answered.length === 0) return [];
  const covered = answered.map(({ query, result }) => `${query} ${JSON.stringify(result)}`).join(' ');
  const roots = new Set(readQuestionWords(covered, Number.POSITIVE_INFINITY).map(({ root }) => root));
  const words = readQuestionWords(question).filter(({ text, root, start }) => {
    const isName = start > 0 && /^\p{Lu}/u.test(text) && !/[.?!]\s*$/.test(question.slice(0, start));
    if (!isName && !CONDITION.test(question.slice(0, start))) return false;
    return !roots.has(root) && ![...roots].some((other) => isSameBeginning(root, other));
  });
  const numbers = [...question.matchAll(/(?<![\p{L}\p{N}.,])\d+(?:[.,]\d+)*(?![\p{L}\p{N}])/gu)].map(([text]) => text);
  const span = SPAN.exec(question)?.[0];
  const dropped = [
    ...words.map(({ text }) => text),
    ...numbers.filter((text) => !covered.includes(text.replace(/,/g, '')) && !covered.includes(text)),
    ...(span !== undefined && !TIME.test(covered) ? [span] : []),
  ];
  return [...new Set(dropped.map((text) => quoteFrom(question, text)))];
}

const LEAD =
  /(?<![\p{L}\p{N}])(?:(?:in|at|from|for|by|per|on|during|since|until|within|among|near|around|under|over|above|below|between|before|after|through|via|excluding|except|without|compared|compared to|versus|vs|than|more|less|fewer|each|every|the|our|their|last|past|previous|this|current)\s+)+$/iu;

/** Adds the preceding small words to the quotation: "in Paris", "since last month". */
function quoteFrom(question: string, words: string): string {
  const start = question.indexOf(words);
  const lead = LEAD.exec(question.slice(0, start))?.[0].replace(/^(?:(?:the|our|their)\s+)+/i, '') ?? '';
  return lead + words;
}

/** For example `"in Paris" and "by brand" were not taken into account.` */
export function describeDropped(dropped: readonly string[]): string {
  return `${namesOf(dropped.map((text) => `"${text}"`))} ${dropped.length === 1 ? 'was' : 'were'} not taken into account.`;
}
