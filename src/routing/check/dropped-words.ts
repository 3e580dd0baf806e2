import type { WordVectors } from '../../language/word-vectors.ts';
import { isSameBeginning } from '../../language/words.ts';
import type { Json } from '../../schema/json.ts';
import { readQuestionWords } from '../decide/question-words.ts';

/** A question that a domain answered. */
export interface AnsweredQuery {
  query: string;
  result: Json;
}

export interface DroppedInput {
  question: string;
  answered: readonly AnsweredQuery[];
  vectors: WordVectors;
}

const LEAST_ALIKE = 0.5;
const CONDITION =
  /\b(?:in|at|from|for|by|per|during|since|until|within|among|near|around|excluding|except|without)\s+(?:(?:the|our|each|every|all)\s+)?$/i;
const SPAN =
  /\b(?:(?:last|past|previous|this)\s+(?:\w+\s+)?(?:days?|weeks?|months?|quarters?|years?)|yesterday|january|february|march|april|june|july|august|september|october|november|december)\b/i;
const TIME =
  /\b(?:days?|weeks?|months?|quarters?|years?|yesterday|date|[a-z]+_date|20\d\d|january|february|march|april|june|july|august|september|october|november|december)\b/i;

/**
 * Finds conditions of a question that occur in no query and no result. Only plain conditions count: a number, a time
 * span, a name, or the words after "in", "for" or "by". A model may rephrase everything else.
 */
export function findDropped({ question, answered, vectors }: DroppedInput): string[] {
  const queries = answered.map(({ query }) => query).join(' ');
  const covered = `${queries} ${answered.map(({ result }) => JSON.stringify(result)).join(' ')}`;
  const roots = new Set(readQuestionWords(covered, Number.POSITIVE_INFINITY).map(({ root }) => root));
  const asked = readQuestionWords(queries);
  const words = readQuestionWords(question).filter(({ text, root, start }) => {
    const isName = start > 0 && /^\p{Lu}/u.test(text) && !/[.?!]\s*$/.test(question.slice(0, start));
    if (!isName && !CONDITION.test(question.slice(0, start))) return false;
    if (roots.has(root) || [...roots].some((other) => isSameBeginning(root, other))) return false;
    return !asked.some((other) => vectors.similarity(text.toLowerCase(), other.text.toLowerCase()) >= LEAST_ALIKE);
  });
  const numbers = [...question.matchAll(/(?<![\p{L}\p{N}.,])\d+(?:[.,]\d+)*(?![\p{L}\p{N}])/gu)].map(([text]) => text);
  const span = SPAN.exec(question)?.[0];
  return [
    ...words.map(({ text }) => text),
    ...numbers.filter((text) => !covered.includes(text.replace(/,/g, '')) && !covered.includes(text)),
    ...(span !== undefined && !TIME.test(covered) ? [span] : []),
  ];
}
