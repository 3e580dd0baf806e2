import {
  type AskedFor,
  asRows,
  findNamed,
  findThing,
  type IsThing,
  isBetween,
  isListing,
  isNoun,
  isSharing,
  readNamed,
} from './asked-phrase.ts';
import { type AskedWord, kindOf, readAskedWords } from './asked-words.ts';
import { readShortQuestion } from './short-question.ts';

const CLAUSES = /[?.!;:,()]+|\band(?=\s+(?:which|who|what|when|where|how|is|are|do|does)\b)/i;
const ASKING = /^(?:which|who|when|where|what|how)$/;
const YES_OR_NO = /^(?:do|does|did|is|are|was|were|has|have|had|should|will)$/;
/** "How many are", "how many times": nothing is named that could be counted. */
const HELPING = /^(?:do|does|did|is|are|was|were|has|have|had|can|could|would|will|times?)$/;
const DETERMINER = /^(?:the|our|my|their|its|your)$/;
const BEING = /^(?:is|was|are|were)$/;
const DOING = /^(?:do|does|did)$/;
/** All that something is done to is alike. */
const DONE: AskedWord = { text: 'what', word: 'what', root: 'what', start: 0, end: 0 };

/** What each clause of a question asks for, or all of it when it has none; nothing of one that asks whether, how or why. */
export function readAskedFor(text: string, isThing: IsThing): AskedFor[] {
  const asked = text.split(CLAUSES).flatMap((clause) => readClause(readAskedWords(clause), isThing) ?? []);
  return asked.length > 0 ? asked : readShortQuestion(text, isThing);
}

function readClause(words: readonly AskedWord[], isThing: IsThing): AskedFor | undefined {
  const [first] = words;
  if (!first || YES_OR_NO.test(first.word)) return undefined;
  const asking = words.find((word) => ASKING.test(word.word) || kindOf(word) === 'content');
  if (!asking) return undefined;
  const rest = words.slice(words.indexOf(asking) + 1);
  switch (asking.word) {
    case 'which':
      return asRows(findThing(rest, isThing) ?? rest.filter(isNoun).at(0));
    case 'who':
    case 'when':
    case 'where':
      return asRows(asking);
    case 'what':
      return readWhat(rest, isThing);
    case 'how':
      return readHow(rest, isThing);
    default:
      return isListing(first) ? asRows(findNamed(words, isThing)) : undefined;
  }
}

function readWhat(rest: readonly AskedWord[], isThing: IsThing): AskedFor | undefined {
  const [next, second] = rest;
  if (!next) return undefined;
  if (isSharing(next)) return { kind: 'share', head: next };
  if (DOING.test(next.word)) return figure(rest.find(isCost), true) ?? { kind: 'object', head: DONE };
  const isBeing = BEING.test(next.word) && second !== undefined && (DETERMINER.test(second.word) || !isNoun(second));
  if (!isBeing && !DETERMINER.test(next.word)) return asRows(findThing(rest, isThing));
  return readNamed(rest.slice(isBeing ? 1 : 0), isThing);
}

function readHow(rest: readonly AskedWord[], isThing: IsThing): AskedFor | undefined {
  const [next, ...behind] = rest;
  if (next?.word !== 'many' && next?.word !== 'much') return undefined;
  const head = findThing(behind, isThing) ?? behind.find(isNoun);
  if (next.word === 'much') return figure(head, true);
  const [counted] = behind.filter((word) => !isBetween(word) && word.word !== 'of');
  if (!head || !counted || HELPING.test(counted.word)) return undefined;
  return { kind: 'count', head: kindOf(counted) === 'filler' ? counted : head };
}

/** "What does it cost" asks for a figure. */
function isCost({ root }: AskedWord): boolean {
  return root === 'cost';
}

function figure(head: AskedWord | undefined, isNumber: boolean): AskedFor | undefined {
  return head && { kind: 'figure', head, isNumber };
}
