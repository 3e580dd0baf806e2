import { stripPoliteness } from '../../language/clean-text.ts';
import { asksFor } from './statement.ts';

const CLAUSE = /(?<=[,;.!?])\s+|\s+-+\s+|\s+(?:but|so)\s+|\s+and\s+(?=(?:i|we)\s+(?:want|need|would like))/i;

/**
 * The part of a message that asks, without the clauses that only remark on it: "checkout hangs again, bounce it" asks
 * "bounce it". A message without a plain request is its own request.
 */
export function requestOf(text: string): string {
  const asking = clausesOf(text).filter(asksFor);
  return asking.length === 0 ? text : asking.join(' ');
}

/** The clauses before the first one that asks; none if the message begins with its request. */
export function remarksOf(text: string): string[] {
  const clauses = clausesOf(text);
  const first = clauses.findIndex(asksFor);
  return first > 0 ? clauses.slice(0, first) : [];
}

const ORDER =
  /^(?:take|get|give|have|let|put|keep|bring|make|go|pull|push|move|turn|drop|send|hand|pass|knock|throw|leave|hold|stick|pop|fetch)\b/i;

/** True if a clause is an order by its form, whatever its verb: "take the living room down", "have Priya look over 482". */
export function isOrder(text: string): boolean {
  return clausesOf(text).some((clause) => ORDER.test(stripPoliteness(clause)) || asksFor(clause));
}

function clausesOf(text: string): string[] {
  return text.split(CLAUSE).filter((clause) => /\w/.test(clause));
}
