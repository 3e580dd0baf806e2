import { stem } from '../../language/words.ts';
import { type ActionKind, actionOf, actionsOf } from './actions.ts';
import { readIdioms, readOrders } from './tables.ts';
import { isContentWord, splitWords } from './tool-document.ts';

/** Features of a message for choosing a tool: its words and the requested action. */
export interface MessageSignals {
  words: string[];
  content: string[];
  /** The words that each idiom may stand for: one of them is enough. */
  idioms: readonly (readonly string[])[];
  stems: ReadonlySet<string>;
  /** The action requested first, and all actions that the beginning mentions. */
  action: ActionKind | undefined;
  actions: ReadonlySet<ActionKind>;
}

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
  return {
    words,
    content,
    idioms: idioms.map(splitWords),
    stems: new Set([...content, ...splitWords(idioms.join(' '))].map(stem)),
    action: verbs.map(actionOf).find((action) => action !== undefined),
    actions: actionsOf(verbs.slice(0, BEGINNING_WORDS)),
  };
}
