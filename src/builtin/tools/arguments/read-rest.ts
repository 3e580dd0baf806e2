import { stripPoliteness, unquote } from '../../../language/clean-text.ts';
import { stem } from '../../../language/words.ts';
import { actionOf } from '../actions.ts';
import { hasConcept, sharesConcept } from '../concepts.ts';
import { splitWords } from '../tool-document.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { askedThing } from './asked-thing.ts';
import type { Candidate } from './candidate.ts';
import { escapePattern } from './near-label.ts';

/** Arguments that take words as they are said, not only names. */
const FREE_TEXT =
  /^(?:text|message|content|title|body|description|term|topic|keyword|keywords|subject|note|name|comment|reason|summary|label|item|task|product|event)$/;
const LEAD = String.raw`(?:\b(?:on|at|for|in|to|from|by|with|of|until|before|after|not before|no later than|size|quantity|named|called|x)\s+(?:the\s+|my\s+)?|#)*`;

export interface RestOptions {
  text: string;
  /** The values that other arguments have taken. */
  taken: readonly Candidate[];
  /** The number of required texts without a value. */
  open: number;
  /** The things that the tool's name speaks of. */
  about: readonly string[];
}

/** The words after the command, for a text that nothing else names. Values of other arguments are left out. */
export function readRest(
  profile: ArgumentProfile,
  { text, taken, open, about: things }: RestOptions,
): string | undefined {
  if (profile.kind === 'query') return text.trim();
  const isFree = profile.words.some((word) => FREE_TEXT.test(word));
  if (!isFree && open > 1) return undefined;
  const command = stripPoliteness(withoutTaken(text, taken)).replace(ERRAND, 'have ');
  const told = profile.words.some((word) => TELLING.test(word)) ? toldClause(text, taken) : undefined;
  if (told !== undefined) return told;
  if (isSpeech(profile) && !SPEAKS.test(command)) return undefined;
  const said = afterColon(command);
  if (said !== undefined && isFree) return unquote(said);
  const linked = askedThing(command) ?? /\b(?:about|called|named|saying|that|titled)\s+(.+)$/is.exec(command)?.[1];
  const about =
    linked ??
    afterVerb(command, profile) ??
    fragment(withoutPlace(command, things), isFree) ??
    (isFree ? undefined : afterLink(command));
  const whole = profile.words.some((word) => SHORT_TEXT.test(word))
    ? about?.split(/,(?:\s|$)|\s+in the (?:diary|calendar|list|notes)\b/)[0]
    : about;
  const words =
    whole === undefined
      ? ''
      : unquote(firstClause(whole).replace(/^(?:the|an?|my|some|no|An?|My|Some|The(?=\s\p{Ll}))\s+/u, '')).trim();
  const rest = withoutThing(withoutOwn(words, profile), things);
  // "the vacuum is so loud" names no room.
  if (!isFree && (isOtherThing(rest, profile) || /^(?:is|are|was|were|has|had|isn't|won't)\b/i.test(rest)))
    return undefined;
  return rest === '' || /^\d+$/.test(rest) || /^(?:it|that|this|them|one|me|us)$/i.test(rest) ? undefined : rest;
}

/** Texts that describe what happened. */
const TELLING = /^(?:summary|subject|description|reason|problem|issue|complaint|details)$/;

/** "my monitor flickers, open a ticket", "Ann says the app crashes": the clause that states the problem. */
function toldClause(text: string, taken: readonly Candidate[]): string | undefined {
  const says =
    /\b(?:says?|said|reports?|reported|complains?|writes?|wrote|tells us|claims?)\s+(?:that\s+)?([^,;]{8,}?)(?=[,;]|\.\s|[.!?]*$)/i.exec(
      text,
    )?.[1];
  if (says !== undefined) return unquote(says);
  const clauses = text.split(/[,;.!?]\s+/).filter((clause) => {
    const [first = ''] = splitWords(stripPoliteness(clause));
    const at = text.indexOf(clause);
    const isTaken = taken.some((one) => one.length > 0 && one.at <= at && one.at + one.length >= at + clause.length);
    return clause.trim().includes(' ') && !isTaken && !isCommand(first) && !QUESTIONS.test(first);
  });
  const [only, ...others] = clauses;
  return only !== undefined && others.length === 0 && only.trim() !== text.trim()
    ? unquote(only).replace(/^(?:the|my|our)\s+(?=\S+\s)/i, '')
    : undefined;
}

/** "the garage door" is no room. */
function isOtherThing(value: string, { words }: ArgumentProfile): boolean {
  const head = value.split(/\s+(?:for|of|with|in|at|on|from)\s/)[0] ?? value;
  const last = /(\S+)$/.exec(head)?.[1]?.toLowerCase() ?? '';
  return hasConcept(last) && words.some(hasConcept) && !words.some((word) => sharesConcept(word, last));
}

/** "one hoodie in the basket" for `add_to_basket`: the place is the tool's own. */
function withoutPlace(command: string, things: readonly string[]): string {
  const place = things.map(escapePattern).join('|');
  const own = new RegExp(String.raw`\s+(?:in|into|to|on)\s+(?:my|the|our)\s+(?:${place})\b`, 'i');
  return place === '' ? command : command.replace(own, '');
}

/** "delete the event budget review": the title comes after the kind of thing. */
function withoutThing(value: string, things: readonly string[]): string {
  const [first = '', ...others] = value.split(' ');
  return others.length > 0 && things.includes(first.toLowerCase()) ? others.join(' ') : value;
}

/** "stop the eggs timer": the label is "eggs". */
function withoutOwn(value: string, { words, meaning }: ArgumentProfile): string {
  const last = /\s(\S+)$/.exec(value)?.[1]?.toLowerCase();
  const isLabel = words.some((word) => /^(?:label|name)$/.test(word));
  return isLabel && last && new RegExp(String.raw`\bof (?:the|an?) ${escapePattern(last)}\b`).test(meaning)
    ? value.slice(0, -last.length).trim()
    : value;
}

/** "the garage door, my hands are full": a remark after the command is no part of a value. */
function firstClause(text: string): string {
  const cut = text.split(REMARK)[0] ?? text;
  return cut.replace(DANGLING, '');
}

const REMARK =
  /[,;.!?]\s+(?=(?:i|i'm|my|he|she|it|its|it's|we|they|so|because|but|please|kindly|that|this|the|don't|no)\b)|\s+(?:because|since i|so that i|as i)\s/i;
const DANGLING =
  /(?:\s+(?:is|are|was|were|on|at|for|in|to|from|by|with|of|the|and|out|again|please|pls|thanks|now|every|each|once a|today|tomorrow|tonight|(?:every|each) (?:day|week|month|morning|evening|night)|daily))+\s*$/i;

/** The words of a message to somebody; "send a parcel" has none. */
function isSpeech({ words, meaning }: ArgumentProfile): boolean {
  return words.some((word) => /^(?:text|message|body)$/.test(word)) && /\b(?:message|mail|email|sms)\b/.test(meaning);
}

const SPEAKS =
  /\b(?:saying|says?|that|tell|text|write|reply|message|ask|inform|let (?:him|her|them|\w+) know|subject|commit)\b|:/i;

const NO_FRAGMENT =
  /^(?:what|which|who|where|when|why|how|is|are|was|were|do|does|did|can|could|will|would|should|have|has|i|you|he|she|it|we|they|there|this|that|if|my|be)\b/i;
/** "translate the note": an order with a verb that is not known. */
const ORDER = /^[a-z]+\s+(?:the|my|an?|our|this|his|her|all)\s/i;
/** A leading errand: "remind me to take metformin". */
const ERRAND = /^remind me (?:to (?:take|have|use|give|bring|buy|get) |about |of )|^get rid of |^no more /i;
/** Names and titles end at a comma; a message may go on. */
const SHORT_TEXT = /^(?:name|title|item|dish|product|event|label|medicine|plant|song|film|movie|show|book|pet|class)$/;
const FIRST_LINK = /\s+(?:from|to|for|with|at|in|on|by|about|into|of)\s/i;

/** "2 pad thai from Mai Mai", "coffee with Jan at noon": a thing without any verb. */
function fragment(command: string, isTitle: boolean): string | undefined {
  if (NO_FRAGMENT.test(command) || ORDER.test(command)) return undefined;
  const thing = isTitle ? command : (command.split(FIRST_LINK)[0] ?? '');
  return /\p{L}{2}/u.test(thing) ? thing : undefined;
}

function afterLink(command: string): string | undefined {
  // "is chicken safe in the fridge?" names nothing to work with.
  if (/^(?:is|are|was|were|does|did|has|have)\b/i.test(command)) return undefined;
  return /\b(?:for|to|of|on|with|in|at)\s+(.+)$/is.exec(command)?.[1];
}

/** "put 3 chargers in my cart" → "chargers": without the verb, and without the place that the tool itself names. */
function afterVerb(command: string, { labels, words }: ArgumentProfile): string | undefined {
  const [first = '', ...others] = command.split(/\s+/);
  const isVerb = isCommand(splitWords(first)[0] ?? '');
  if (!isVerb || others.length === 0) return words.some((word) => FREE_TEXT.test(word)) && isVerb ? '' : undefined;
  const things = labels.map(escapePattern).join('|');
  const place = /\s+(?:(?:in|into|to|on|from|out of|off)\s+(?:my|the|our)\s+[\w ]+|out(?:\s+again)?|again|back)\s*$/i;
  const own =
    things === ''
      ? /^$/
      : new RegExp(
          String.raw`^(?:(?:an?|the|my|new)\s+)*(?:${things})s?\s+(?:(?:about|for|of|to|called|named|saying|that says)\s+)?`,
          'i',
        );
  return others
    .join(' ')
    .replace(
      /^(?:(?:back|up|out|off|down|over|away|on|me|us|(?:an?|the) (?:hold|reservation|booking|copy|reminder|note) (?:on|of|for|about))\s+)+(?=\S)/i,
      '',
    )
    .replace(place, '')
    .replace(own, '')
    .replace(/^(?:about|for|of|to|on|from|off|with)\s+/i, '');
}

/** Verbs of commands that say nothing about the kind of action. */
const COMMANDS = new Set(
  'stick pop chuck throw toss shove bung slot sling whack bill invoice chase remind rent hire enter report ring phone text warm heat cool wake tip extend renew collect tune plan block unblock get go keep let pull bring water feed charge clean vacuum hoover sweep plant pick drop bake cook grab fetch have leave take tell call pay skip shuffle repeat log fix repair finish complete end stop kill roll deploy release ship sell navigate drive report rate review'.split(
    ' ',
  ),
);

const QUESTIONS = /^(?:is|are|there|any|what|whats|which|who|whos|where|wheres|when|how|hows|available|new)$/;

function isCommand(word: string): boolean {
  return [word, stem(word), word.replace(/^(?:un|de|dis|re)(?=[a-z]{3})/, '')].some(
    (form) => COMMANDS.has(form) || (actionOf(form) !== undefined && !QUESTIONS.test(form)),
  );
}

function withoutTaken(text: string, taken: readonly Candidate[]): string {
  let open = text;
  for (const { at, length } of taken.filter((one) => one.length > 0).toSorted((a, b) => b.at - a.at)) {
    const before = open.slice(0, at).replace(new RegExp(`${LEAD}$`, 'i'), '');
    // A cut inside a word takes the rest of the word with it.
    const after = open.slice(at + length);
    open = `${before} ${/[a-z]/i.test(open[at + length - 1] ?? '') ? after.replace(/^[a-z]+/i, '') : after}`;
  }
  return open.replace(/\s+/g, ' ').trim();
}

/** "note: the password is sunflower7". */
function afterColon(command: string): string | undefined {
  return /^[\w' ]{2,60}:\s+(\S.+)$/s.exec(command)?.[1];
}
