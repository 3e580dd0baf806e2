import { stem } from '../../language/words.ts';
import { type ActionKind, actionOf, actionsOf } from './actions.ts';
import { readIdioms, readOrders } from './tables.ts';
import { isContentWord, splitWords } from './tool-document.ts';

const OPENING = String.raw`(?:(?:please|pls|ok|okay|no|well|so|and|but|then|actually|hey|just|whatever (?:you|u) do|under no circumstances|for (?:god|heaven)'?s sake)[\s,]+)*`;
const DENIAL =
  "(?:do not|don'?t|never|no need to|there(?:'?s| is) no need to|you (?:needn'?t|need not|(?:don'?t|do not) (?:need|have) to|mustn'?t|must not|shouldn'?t|should not)|(?:i|we) (?:don'?t|do not) (?:want|need) you to|(?:i|we) never (?:want|asked) you to)";
/** "don't forget milk" and "never mind" forbid nothing. */
const HARMLESS = String.raw`(?:let (?:me|us) (?:forget|miss|spend|use|go over|exceed)|forget|miss|lose|mind|hesitate|worry|you\b)`;
const FORBIDS = new RegExp(String.raw`^\s*${OPENING}${DENIAL}\s+(?!${HARMLESS})`, 'i');

const CLAUSE_END = /[,;:.!?]\s+|\s+-+\s+|\s+(?:and|but|so)\s+(?=(?:please\s+)?(?:don'?t|do not|never)\b)/i;
const UNWILLING = /^\s*(?:i|we) (?:would not|wouldn'?t|would never|don'?t want|do not want)\b/i;
const NOBODY =
  /^\s*(?:please\s+)?(?:nobody|no one|no-one)\s+(?:should |may |must |is to |gets to )?[a-z]+\b(?!\s+(?:is|was|has|came))/i;

/** True if a clean text, or one of its clauses, forbids something. */
export function isProhibition(text: string): boolean {
  return text.split(CLAUSE_END).some((clause) => FORBIDS.test(clause) || NOBODY.test(clause) || UNWILLING.test(clause));
}

/** True if the message asks for a fact: "who unlocked the door?", "whats in my cart". Nothing may change on it. */
export function asksForFact(text: string): boolean {
  return /^\s*(?:(?:hey|hi|hello|ok|okay|so|and|please)[\s,]+)*(?:(?:is|are|was|were|does|did|has|am)\b(?!\s+you\b)|(?:do|have)\s+(?:i|we|they|any|my|our|the|these|those)\b|(?:what|whats|which|who|whos|where|wheres|when|whens|why|how (?:much|many|long|far|often|old|warm|cold|hot|big|\w+ (?:is|are|was|were|did|does)))\b)/i.test(
    text,
  );
}

/**
 * True if the message asks whether or how to do something: that is not yet an order. "What does a lamp cost?" asks for
 * a value.
 */
export function asksWhether(text: string): boolean {
  return /^\s*(?:(?:should|shall|must|may|can|could|do|did|would|have|had|am) (?:i|we|one)\b(?<!\b(?:can|could|may) (?:i|we)(?= (?:have|get|keep|book|reserve|order|renew|extend|come|see|bring)\b))|how (?:do|can|could|would|should|to|does)\b|why\b|(?:is|was|are|were) it\b|what if\b|if\b)/i.test(
    text,
  );
}

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
