import { stem } from '../../language/words.ts';
import { type ActionKind, actionOf, actionsOf } from './actions.ts';
import { isContentWord, splitWords } from './tool-document.ts';

/** Features of a message for choosing a tool: its words, the requested action, and values for arguments. */
export interface MessageSignals {
  text: string;
  words: string[];
  content: string[];
  stems: ReadonlySet<string>;
  /** The action requested first, and all actions that the beginning mentions. */
  action: ActionKind | undefined;
  actions: ReadonlySet<ActionKind>;
  numbers: number;
  wholeNumbers: number;
  /** The number of quoted texts and capitalized names. */
  names: number;
  hasTime: boolean;
}

const SYMBOLS: readonly [RegExp, string][] = [
  [/\d\s*[*×x]\s*\d|\btimes\b/, 'multiply product'],
  [/\d\s*\+\s*\d|\bplus\b/, 'add sum'],
  [/\d\s+-\s+\d|\bminus\b/, 'subtract'],
  [/\d\s*[/÷]\s*\d|divided by/, 'divide'],
  [/\d\s*(?:%|percent)\s+of\b/, 'percentage'],
];
/** Idioms, with the words that they stand for. */
const PHRASES: readonly [RegExp, string][] = [
  [/\bput on\b(?=\s+\w)/i, 'play switch'],
  [/\b(?:get|fetch|bring|grab) (?:me|us) (?:an?|some|one|two|three|\d)\b/i, 'order'],
  [/\bget rid of\b|\btake\b.{1,40}\bout\b|\bthrow\b.{1,40}\b(?:out|away)\b/i, 'remove'],
  [/\bsign\b.{1,20}\bup\b/i, 'register'],
  [/\bcall(?:ed)? off\b/i, 'cancel'],
  [/\bput(?:ting)? off\b|\bpush back\b/i, 'postpone'],
  [/\bhow (?:warm|cold|hot)\b/i, 'temperature'],
  [/\b(?:get|come|go|way)\b.{0,20}\bfrom\b.{2,40}\bto\b/i, 'route'],
  [/\bhow far\b/i, 'distance'],
  [/\bwhere(?:'s| is| are)\b/i, 'location locate'],
  [/\b(?:take|bring|drive|get) me (?:to|home)\b/i, 'navigate route'],
  [/\bhow long\b/i, 'duration'],
  [/\bhow (?:much|expensive) (?:is|are|does|do) (?:the|an?|my|this)\b/i, 'price'],
  [/\bran out of\b|\brunning low on\b|\bout of\b/i, 'order buy shopping add'],
  [/\b(?:back|roll)\b.{1,40}\b(?:out|back)\b|\brollback\b/i, 'revert undo'],
  [/\bshut\b.{1,40}\bup\b/i, 'silence mute'],
  [/\b(?:send|take|bring|give)\b.{1,40}\bback\b/i, 'return'],
  [/\b(?:put|pencil) me down\b|\bcount me in\b/i, 'register book'],
  [/\b(?:drop|pull|take) me (?:from|out|off)\b|\bcan(?:'|no)?t make it\b/i, 'cancel'],
  [/\bno more than\b.{1,20}\b(?:a|per|each) (?:day|week|month)\b|\blet me spend\b|\bcap\b/i, 'limit set'],
  [/\blet\b.{1,40}\b(?:see|view|look at|read|edit|comment|open)\b/i, 'share access give'],
  [/\blet\b.{1,40}\bknow\b/i, 'tell message send notify'],
  [/\b(?:spoke|talked|chatted) (?:to|with)\b|\b(?:voicemail|no answer)\b|\bcalled\b.{1,30}\babout\b/i, 'call log'],
  [/\b(?:somewhere|place|bed) (?:to (?:stay|sleep)|for the night)\b/i, 'hotel accommodation'],
  [/\b(?:somewhere|place) to eat\b/i, 'restaurant'],
  [/\bneeds? to (?:go|be moved|move|shift) to\b|\bmake it\b.{1,20}\binstead\b/i, 'move reschedule'],
  [/\b(?:put|jot|note|write)\b.{1,40}\bdown\b|\bput down\b/i, 'log record note write'],
  [/\b(?:turn|switch|shut)\b.{1,30}\boff\b/i, 'stop'],
  [/\bhand\b.{1,30}\bover\b|\bpass\b.{1,30}\b(?:on|to)\b/i, 'assign give'],
  [/\b(?:i|we)(?:'| wi)?ll (?:take|have)\b/i, 'order buy add'],
  [/\bwhereabouts\b/i, 'location locate'],
  [/^\s*no more\b|\bstop (?:sending|emailing)\b/i, 'stop unsubscribe cancel'],
  [/\bbook\b.{1,12}\b(?:minutes|mins|hours|h)\b.{0,6}\b(?:on|to)\b/i, 'log record'],
  [/\bfreezing\b|\bchilly\b|\btoo (?:cold|hot|warm)\b/i, 'temperature'],
  [/\bhow much\b.{0,12}\b(?:do i have|have i got|is (?:left |there )?(?:in|on)|money)\b/i, 'balance'],
  [/\bweigh(?:s|ed|ing)?\b/i, 'weight'],
  [/\b(?:get|have)\b.{2,30}\b(?:looked at|seen to|checked|serviced|fixed)\b/i, 'appointment book'],
  [/\b(?:keep|hang on to|hold on to)\b.{2,40}\b(?:longer|for another|more)\b/i, 'extend renew'],
  [/\b(?:up to date|so far|status|how far along)\b/i, 'status'],
];
const TIME =
  /\b(?:today|tomorrow|tonight|yesterday|week|month|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|\d{4}-\d\d|\d+(?:st|nd|rd|th)|noon|[ap]m)\b/i;
const NUMBER_WORD = /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|half|dozen|a couple)\b/i;
/** Words that ask only where a sentence begins: "the kids are asleep" asks nothing. */
const ASKING = /^(?:is|are|there|any|available|what|which|who|where|when|new|see|know|looking|times|start)$/;
const ASKING_REACH = 3;
/** Arithmetic is short; in a long text a slash is not a division. */
const MAX_SUM_CHARS = 200;
const BEGINNING_WORDS = 14;
const DETERMINER = /^(?:the|an?|my|our|your|this|that|these|those|his|her|their)$/;
/** More words add no information about the tool, and cost time. */
const MAX_CONTENT_WORDS = 60;

/** Reads the words of `open`, the message without its values, and the values of the whole text. */
export function readMessageSignals(open: string, text: string = open): MessageSignals {
  const idioms = readIdioms(text);
  // "394 times 213" speaks of no time.
  const plain = idioms.length > 0 ? open.replace(/(?<=\d\s*)times(?=\s*\d)/g, ' ') : open;
  const words = splitWords([plain, ...idioms].join(' '));
  // "the note" is a thing, "note" may be an order.
  const verbs = words.filter(
    (word, index) => !DETERMINER.test(words[index - 1] ?? '') && (index < ASKING_REACH || !ASKING.test(word)),
  );
  const content = [...new Set(words)]
    .filter((word) => isContentWord(word) && !/^\d/.test(word) && word.length > 1)
    .slice(0, MAX_CONTENT_WORDS);
  const numbers = text.match(/\d+(?:\.\d+)?/g) ?? [];
  return {
    text,
    words,
    content,
    stems: new Set(content.map(stem)),
    action: verbs.map(actionOf).find((action) => action !== undefined),
    actions: actionsOf(verbs.slice(0, BEGINNING_WORDS)),
    numbers: numbers.length + (NUMBER_WORD.test(text) ? 1 : 0),
    wholeNumbers: numbers.filter((number) => !number.includes('.')).length,
    names: countNames(text),
    hasTime: TIME.test(text) || numbers.length > 0,
  };
}

/** The words that the signs of a sum and the idioms of a text stand for. */
export function readIdioms(text: string): string[] {
  if (text.length > MAX_SUM_CHARS) return [];
  return [...SYMBOLS, ...PHRASES].filter(([sign]) => sign.test(text)).map(([, words]) => words);
}

function countNames(text: string): number {
  const quoted = text.match(/'[^']+'|"[^"]+"/g) ?? [];
  const capitals = text.replace(/^\s*\S+/, '').match(/\b[A-Z][\w&.]*(?:\s+[A-Z][\w&.]*)*/g) ?? [];
  return quoted.length + capitals.filter((name) => !/^I\b/.test(name)).length;
}
