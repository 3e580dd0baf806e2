import { stem } from '../../language/words.ts';
import { type ActionKind, actionOf, actionsOf } from './actions.ts';
import { readIdioms, readOrders } from './idioms.ts';
import { isContentWord, splitWords } from './tool-document.ts';

/** Features of a message for choosing a tool: its words, the requested action, and values for arguments. */
export interface MessageSignals {
  text: string;
  words: string[];
  content: string[];
  /** The words that each idiom may stand for: one of them is enough. */
  idioms: readonly (readonly string[])[];
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

const TIME =
  /\b(?:today|tomorrow|tonight|yesterday|week|month|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|\d{4}-\d\d|\d+(?:st|nd|rd|th)|noon|[ap]m)\b/i;
const NUMBER_WORD = /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|half|dozen|a couple)\b/i;
/** Words that ask only where a sentence begins: "the kids are asleep" asks nothing. */
const ASKING = /^(?:is|are|there|any|available|what|which|who|where|when|new|see|know|looking|times|start)$/;
const ASKING_REACH = 3;
const BEGINNING_WORDS = 14;
const DETERMINER = /^(?:the|an?|my|our|your|this|that|these|those|his|her|their)$/;
/** More words add no information about the tool, and cost time. */
const MAX_CONTENT_WORDS = 60;

/** Reads the words of `open`, the message without its values, and the values of the whole text. */
export function readMessageSignals(open: string, text: string = open): MessageSignals {
  const orders = readOrders(text);
  const idioms = readIdioms(text);
  // "394 times 213" speaks of no time.
  const plain = orders.length > 0 ? open.replace(/(?<=\d\s*)times(?=\s*\d)/g, ' ') : open;
  const words = splitWords([plain, ...orders].join(' '));
  // "the note" is a thing, "note" may be an order.
  const verbs = words.filter(
    (word, index) => !DETERMINER.test(words[index - 1] ?? '') && (index < ASKING_REACH || !ASKING.test(word)),
  );
  const own = new Set(splitWords(plain));
  const content = [...own]
    .filter((word) => isContentWord(word) && !/^\d/.test(word) && word.length > 1)
    .slice(0, MAX_CONTENT_WORDS);
  const numbers = text.match(/\d+(?:\.\d+)?/g) ?? [];
  return {
    text,
    words,
    content,
    idioms: idioms.map(splitWords),
    stems: new Set([...content, ...splitWords(idioms.join(' '))].map(stem)),
    action: verbs.map(actionOf).find((action) => action !== undefined),
    actions: actionsOf(verbs.slice(0, BEGINNING_WORDS)),
    numbers: numbers.length + (NUMBER_WORD.test(text) ? 1 : 0),
    wholeNumbers: numbers.filter((number) => !number.includes('.')).length,
    names: countNames(text),
    hasTime: TIME.test(text) || numbers.length > 0,
  };
}

function countNames(text: string): number {
  const quoted = text.match(/'[^']+'|"[^"]+"/g) ?? [];
  const capitals = text.replace(/^\s*\S+/, '').match(/\b[A-Z][\w&.]*(?:\s+[A-Z][\w&.]*)*/g) ?? [];
  return quoted.length + capitals.filter((name) => !/^I\b/.test(name)).length;
}
