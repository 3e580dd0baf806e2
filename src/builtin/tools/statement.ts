import { isActionVerb } from '../../language/action-verbs.ts';
import { stripPoliteness } from '../../language/clean-text.ts';
import { actionOf } from './actions.ts';
import { splitWords } from './tool-document.ts';

const CLAUSE = /[,;.!?]+\s+|\s+(?:and|but|so|then)\s+/;
const SUBJECT = String.raw`(?:i|we|he|she|they|it|you|somebody|someone|nobody|everybody|everyone|there|this|that|(?:the|my|our|his|her|their|all|some|most)\s(?:[\p{L}\d'-]+\s){0,7}?[\p{L}\d'-]+|[\w-]*\d[\w-]*|[a-z]+-[a-z-]+|(?!have|get|let|make|keep)[a-z]+\s\S*\d\S*)`;
const VERB = String.raw`(?:(?:just|already|never|almost|once|always|finally)\s)*(?:am|was|were|has|had|have|did|do|does|is|are|isn't|wasn't|might|may|could|would|will|won't|used to|[a-z]{3,}ed|paid|sent|bought|sold|took|gave|went|made|got|left|lost|owes?|won|broke|came|ran|read|wrote|said|says|found|stole|held|met|slept|spoke|drove|ate|drank|felt|heard|kept|saw|told|forgot|fell|began|brought|built|chose)\b`;
const TELLS = new RegExp(
  String.raw`^${SUBJECT}(?:'s|'m|'re|'ve)?\s${VERB}|^(?:i|we|he|she|they|it|you)(?:'s|'m|'re|'ve)\s`,
  'iu',
);
/** "Anna booked", "Hartmann & Co paid": without the flag that takes small letters for capitals. */
const NAMED = new RegExp(String.raw`^\p{Lu}[\p{L}'-]*(?:\s(?:&\s)?\p{Lu}[\p{L}'-]*)*\s${VERB}`, 'u');
/** Verbs of reports, wherever they stand: "holiday from Monday to Friday was refused". */
const REPORTS =
  /\b(?:was|were|has been|have been|had been|did(?:n't| not)|does(?:n't| not)|is(?:n't| not)|are(?:n't| not)|used to|would be|(?:i|we|he|she|they|someone|somebody) (?!wanted|needed|liked)(?:had|[a-z]{3,}ed|paid|sent|bought|sold|took|gave|went|made|got|left|lost|found|stole|ate|saw))\b/i;
/** A wish, a duty or a polite question asks for something, whatever its subject. */
const ASKS =
  /\b(?:please|pls|can you|could you|would you|will you|i want|we want|i need|we need|i'd like|we'd like|would like|would love|like to|want to|has to|have to|need to|needs|must|should|shall|let's|lets|i'?ll (?:take|have)|we'?ll (?:take|have)|out of|running low)\b/i;

/** True if the message only reports something: "Anna booked the room", "the door was unlocked all night". */
export function isStatement(text: string): boolean {
  const plain = text.trim();
  const told = plain.replace(/^(?:ok|okay|so|well|hey|hi|oh|sorry)[\s,]+/i, '');
  const tells = [TELLS, NAMED, REPORTS].some((pattern) => pattern.test(told));
  if (ASKS.test(plain) || !tells) return false;
  return !plain.split(CLAUSE).some((clause) => isCommand(clause));
}

const QUESTION =
  /^(?:what|whats|which|who|whos|where|wheres|when|why|how|is|are|was|were|do|does|did|can|could|will|would|has|have (?:i|we|you|they)|should|shall|may|any)\b/i;

/** True if a clause asks for something: a command, a question, a wish or a duty. */
function asksFor(clause: string): boolean {
  const plain = stripPoliteness(clause.trim());
  return ASKS.test(clause) || QUESTION.test(plain) || isCommand(clause);
}

/** "block it", "mark the deal as won". */
function isCommand(clause: string): boolean {
  const [first = '', second] = splitWords(stripPoliteness(clause));
  // "expense it", "lights off in the nursery".
  if (/^[a-z]+\s\S*\d\S*\s(?:is|are|was|were|has|had)\b/i.test(clause.trim())) return false;
  // "search is broken" speaks of a thing.
  if (/^(?:is|are|was|were|has|had|isn|aren|won|keeps|doesn)$/.test(second ?? '')) return false;
  if (/^\s*\p{Lu}[\p{Ll}]+\s\p{Lu}[\p{Ll}]+\s(?:is|was|has|isn't)\b/u.test(clause)) return false;
  if (BARE_COMMAND.test(stripPoliteness(clause))) return true;
  return second !== undefined && !NO_COMMAND.test(first) && (isActionVerb(first) || actionOf(first) !== undefined);
}

const BARE_COMMAND =
  /^(?!(?:is|are|was|were|has|had|have|did|does|do|not|no|in|on|at|by|for|to|from|with|of|as|if|that|when|while|because|since|after|before|until|all|both|about|over|under|like|it|he|she|they|we|i|you|[a-z]+(?:ed|ing|ly))\b)[a-z]+\s+(?:it|them|this|the|my|our)\b|^[a-z]+\s+(?:on|off)\b/i;
const NO_COMMAND =
  /^(?:is|are|there|any|available|what|which|who|where|when|new|whats|hows|wheres|whos|looking|be|have|order|case|ticket|book|room|card|branch|flight|parcel|invoice|light|water|back|right|left|top)$/;

/** True if the message denies something. */
export function isDenial(text: string): boolean {
  const [first = ''] = text.split(CLAUSE);
  return /\b(?:no|not|never|none|nobody|\w+n't)\b/i.test(first) && isStatement(text);
}

const PART = /(?<=[,;.!?])\s+|\s+-+\s+|\s+(?:but|so)\s+|\s+and\s+(?=(?:i|we)\s+(?:want|need|would like))/i;

/**
 * The part of a message that asks, without the clauses that only remark on it: "checkout hangs again, bounce it" asks
 * "bounce it". A message without a plain request is its own request.
 */
export function requestOf(text: string): string {
  const asking = clausesOf(text).filter(asksFor);
  return asking.length === 0 ? text : asking.join(' ');
}

const ORDER =
  /^(?:take|get|give|have|let|put|keep|bring|make|go|pull|push|move|turn|drop|send|hand|pass|knock|throw|leave|hold|stick|pop|fetch)\b/i;

/** True if a clause is an order by its form, whatever its verb: "take the living room down", "have Priya look over 482". */
export function isOrder(text: string): boolean {
  return clausesOf(text).some((clause) => ORDER.test(stripPoliteness(clause)) || asksFor(clause));
}

function clausesOf(text: string): string[] {
  return text.split(PART).filter((clause) => /\w/.test(clause));
}
