import { stripPoliteness, unquote } from '../../../language/clean-text.ts';
import { stem } from '../../../language/words.ts';
import { actionOf } from '../actions.ts';
import { isOtherThing } from '../concepts.ts';
import { splitWords } from '../tool-document.ts';
import { type ArgumentProfile, WHOLE } from './argument-profile.ts';
import { type CandidateReader, type Span, SURE } from './candidate.ts';
import { escapePattern } from './near-label.ts';
import { readTexts } from './read-text.ts';

/** Arguments that take words as they are said, not only names. */
const FREE_TEXT =
  /^(?:text|message|content|title|body|description|term|topic|keyword|keywords|subject|note|name|comment|reason|summary|label|item|task|product|event)$/;
/** Names and titles end at a comma; a message may go on. */
const SHORT_TEXT = /^(?:name|title|item|dish|product|event|label|medicine|plant|song|film|movie|show|book|pet|class)$/;

export interface RestOptions {
  text: string;
  /** The values that other arguments have taken. */
  taken: readonly Span[];
  /** The number of required texts without a value. */
  open: number;
  /** The things that the tool's name speaks of. */
  about: readonly string[];
}

/** The words after the command, for a text that nothing else names. Values of other arguments are left out. */
export function readRest(profile: ArgumentProfile, { text, taken, open, about }: RestOptions): string | undefined {
  if (profile.kind === 'query') return text.trim();
  const isFree = profile.words.some((word) => FREE_TEXT.test(word));
  if (!isFree && open > 1) return undefined;
  const command = stripPoliteness(withoutTaken(text, taken));
  if (isSpeech(profile) && !SPEAKS.test(command)) return undefined;
  const said = isFree ? /^[\w' ]{2,60}:\s+(\S.+)$/s.exec(command)?.[1] : undefined;
  if (said !== undefined) return unquote(said);
  const words =
    askedThing(command) ??
    /\b(?:about|called|named|saying|that|titled)\s+(.+)$/is.exec(command)?.[1] ??
    afterVerb(command, profile) ??
    fragment(command, isFree);
  const rest = trim(words ?? '', profile, about);
  // "the vacuum is so loud" names no room, and neither does "the garage door".
  if (!isFree && (isOtherThing(rest, profile.words) || /^(?:is|are|was|were|has|had|isn't|won't)\b/i.test(rest)))
    return undefined;
  return /^\d*$|^(?:it|that|this|them|one|me|us)$/i.test(rest) ? undefined : rest;
}

const REMARK =
  /[,;.!?]\s+(?=(?:i|i'm|my|he|she|it|its|it's|we|they|so|because|but|please|kindly|that|this|the|don't|no)\b)|\s+(?:because|since i|so that i|as i)\s/i;
const DANGLING =
  /(?:\s+(?:is|are|was|were|on|at|for|in|to|from|by|with|of|the|and|out|again|please|pls|thanks|now|every|each|once a|today|tomorrow|tonight|(?:every|each) (?:day|week|month|morning|evening|night)|daily))+\s*$/i;

/** Without a remark after the command, an article, the argument's own word, and the thing that the tool itself names. */
function trim(words: string, { words: own }: ArgumentProfile, about: readonly string[]): string {
  const isShort = own.some((word) => SHORT_TEXT.test(word));
  const whole = isShort ? words.split(/,(?:\s|$)|\s+in the (?:diary|calendar|list|notes)\b/)[0] : words;
  const clause = (whole?.split(REMARK)[0] ?? '').replace(DANGLING, '');
  const plain = unquote(clause.replace(/^(?:the|an?|my|some|no|An?|My|Some|The(?=\s\p{Ll}))\s+/u, '')).trim();
  // "delete the event budget review": the title comes after the kind of thing.
  const [first = '', ...others] = plain.split(' ');
  return others.length > 0 && about.includes(first.toLowerCase()) ? others.join(' ') : plain;
}

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
const FIRST_LINK = /\s+(?:from|to|for|with|at|in|on|by|about|into|of)\s/i;

/** "2 pad thai from Mai Mai", "coffee with Jan at noon": a thing without any verb. */
function fragment(command: string, isTitle: boolean): string | undefined {
  if (NO_FRAGMENT.test(command) || ORDER.test(command)) return undefined;
  const thing = isTitle ? command : (command.split(FIRST_LINK)[0] ?? '');
  return /\p{L}{2}/u.test(thing) ? thing : undefined;
}

/** "put 3 chargers in my cart" → "chargers": without the verb. */
function afterVerb(command: string, { labels, words }: ArgumentProfile): string | undefined {
  const [first = '', ...others] = command.split(/\s+/);
  if (!isCommand(splitWords(first)[0] ?? '')) return undefined;
  if (others.length === 0) return words.some((word) => FREE_TEXT.test(word)) ? '' : undefined;
  const things = labels.map(escapePattern).join('|') || '(?!)';
  const own = String.raw`^(?:(?:an?|the|my|new)\s+)*(?:${things})s?\s+(?:(?:about|for|of|to|called|named|saying|that says)\s+)?`;
  return others
    .join(' ')
    .replace(new RegExp(own, 'i'), '')
    .replace(/^(?:about|for|of|to|on|from|off|with)\s+/i, '');
}

const QUESTIONS = /^(?:is|are|there|any|what|whats|which|who|whos|where|wheres|when|how|hows|available|new)$/;

function isCommand(word: string): boolean {
  return [word, stem(word), word.replace(/^(?:un|de|dis|re)(?=[a-z]{3})/, '')].some(
    (form) => actionOf(form) !== undefined && !QUESTIONS.test(form),
  );
}

const LEAD =
  /(?:\b(?:on|at|for|in|to|from|by|with|of|until|before|after|not before|no later than|size|quantity|named|called|x)\s+(?:the\s+|my\s+)?|#)*$/i;

function withoutTaken(text: string, taken: readonly Span[]): string {
  let open = text;
  for (const { at, length } of taken.toSorted((a, b) => b.at - a.at)) {
    const before = open.slice(0, at).replace(LEAD, '');
    // A cut inside a word takes the rest of the word with it.
    const after = open.slice(at + length);
    open = `${before} ${/[a-z]/i.test(open[at + length - 1] ?? '') ? after.replace(/^[a-z]+/i, '') : after}`;
  }
  return open.replace(/\s+/g, ' ').trim();
}

/** "what does a lamp cost", "how much is the lamp": the subject is before the verb or after "is". */
const ASKED_FOR =
  /^(?:what (?:does|do|did) (.+?) (?:cost|mean|weigh|contain|measure)|where(?:abouts)?(?:'s| is| are) (?:the |my |an? )?(.+?)|how much (?:(?:is|are|was|were) (?:the |an? )?|(?:does|do) )(.+?)(?: cost)?|how many (.+?) (?:(?:have|do|are) (?:we|you|i|they|there)\b.*|(?:are )?(?:left|in stock).*))\s*[?.!]*$/i;
/** "I had porridge for breakfast", "I need a dermatologist". */
const TELLING =
  /^(?:(?:i|we)(?:'d| would| have| just| am|'m)*\s+)?(?:just\s+)?(?:had|ate|drank|bought|took|played|watched|did|need|want|like|looking for)\s+(?:an?\s+|the\s+|some\s+)?(?!to\b|you\b)(.+?)(?=\s+(?:for|at|from|in|on|with|to)\b|[,.;!?]|$)/i;
/** The thing that a question or a wish is about, where its form shows it. */
export function askedThing(command: string): string | undefined {
  for (const pattern of [ASKED_FOR, TELLING]) {
    const thing = pattern
      .exec(command)
      ?.slice(1)
      .find((part) => part !== undefined);
    if (thing !== undefined) return thing;
  }
  return undefined;
}

const SEARCH =
  /^(?:(?:please|do|run|perform|make)\s+)*(?:an?\s+)?(?:web\s+)?(?:search(?:ing)?|look(?:ing)?(?:\s+up)?|find|google|query|fetch|get|show|tell|give|retrieve|provide|pull up)\b(?:\s+(?:me|us))?(?:\s+(?:up|out|online|the web|the internet|memory|on (?:the )?(?:web|internet|google)|in (?:the )?\w+|(?:with )?prompt))?(?:\s+(?:the|some|any|all|more|recent|latest|current)*\s*(?:information|info|details|news(?: articles)?|articles|results|facts|data|guidance|recipes?))?(?:\s+(?:for|about|on|of|regarding|that mention|involving))?\s+/i;
const ABOUT =
  /\b(?:about|regarding|concerning|involving|mentioning|on the topic of)\s+(?:the\s+|my\s+|an?\s+)?(.+?)(?:[.?!](?:\s.*)?)?$/is;
const ASKING =
  /^(?:what(?:'s| is| are| was| were)|who(?:'s| is| are| was| were)|where(?:'s| is| are)|define|explain|describe)\s+(?:the\s+|an?\s+)?/i;
/** The subject of a search: quoted, after "about", or the message without its command. A question stays whole. */
export const readQuery: CandidateReader = (profile, values, options) => {
  const isWhole = WHOLE.test(profile.meaning);
  const found = isWhole ? [] : readTexts(profile, values, options).filter(({ score }) => score >= SURE.likely);
  const text = values.text.trim();
  const rest = isWhole ? taskOf(text, options.context.about ?? []) : subjectOf(text, profile);
  if (rest === '' || !profile.isRequired) return found;
  return [...found, { value: rest, at: 0, length: 0, score: SURE.likely - 0.05 }];
};

/** "ask the checker for the price of tea" → "the price of tea": without the words that only name who gets the task. */
function taskOf(text: string, about: readonly string[]): string {
  const names = about.map(escapePattern).join('|') || '(?!)';
  const who = String.raw`(?:the\s+|our\s+)?(?:${names})(?:[\s_-]+(?:${names}|agent))*`;
  const lead = String.raw`^(?:(?:ask|tell|let|have|get|use)\s+${who}\b[,:]?|${who}[,:])\s*(?:(?:to|for|about|that)\s+)?`;
  return stripPoliteness(text).replace(new RegExp(lead, 'i'), '').trim() || text;
}

function subjectOf(text: string, { words }: ArgumentProfile): string {
  const command = stripPoliteness(text);
  const isKeyword = words.some((word) => /^(?:keywords?|term|topic|search)$/.test(word));
  const isSearch = SEARCH.test(command);
  const about = ABOUT.exec(command)?.[1];
  if (about !== undefined && (isKeyword || isSearch || /^(?:where|which|any)\b/i.test(command))) return unquote(about);
  if (!isSearch && !isKeyword) return text;
  const subject = command.replace(SEARCH, '');
  return unquote(isKeyword ? subject.replace(ASKING, '') : subject);
}
