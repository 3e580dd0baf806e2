import { cleanText } from '../../../language/clean-text.ts';
import { stem, toStems } from '../../../language/words.ts';
import type { KnownTask } from '../known-task.ts';
import type { TaskContext } from '../task-context.ts';
import { type Move, markTimes, timeOf } from './move-times.ts';
import { hasCue, isClosed, isName, MARK, saidWords } from './move-words.ts';
import { plainText } from './plain-parts.ts';
import { verbOf } from './verb-families.ts';

/** A remark beside the order that takes it back. */
const RETRACTED =
  /\b(?:kidding|joking|joked|jk|sike|if|unless|except|apart from|excluding|besides|other than|second thoughts?|wish|dead body|autocorrect|said|thinks?|stays?|keep|undo|remind|don'?t (?:move|do|change|bother)|leave (?!the (?:date|time|day))|or not|the other|changed my mind)\b|\b(?:says?|asks?|asked|told me|wrote)$|^(?:and )?not\b|^meant\b/i;
/** The same, behind the order. */
const TAKEN_BACK = /^(?:not|not really|no|nah|nope|or|wait|never ?mind|nvm|scratch that|forget it|maybe|perhaps)$/i;
/** A question without its sign, or what somebody does. */
const ASKED = /^(?:is|are|was|were|does|do|did|why|what|when|who|how|which|where|has|have|am|will)\b|\?/i;
/** "to Friday", "at 5": an answer to what was just said. */
const BARE =
  /^(?:(?:for|on|at|by|to|until|till|before|from|the|due|say|no|hmm+|sorry|ok|okay|actually|and|then|please|oh|again|for (?:that|it|this))[\s,]+|\u0002\d\u0002\s*)+$/i;

/**
 * The new time that a message orders for these tasks; undefined if it is to be asked about. Plain: the time aside, every
 * word of the clause is of moving or of the titles, and nothing beside it takes it back.
 */
export function readPlainMove(
  { command, tasks, isGuess }: Move,
  { text, zone, list, memory }: Pick<TaskContext, 'text' | 'zone' | 'list' | 'memory'>,
): { when?: string } | undefined {
  const plain = plainText(text);
  if (plain === undefined) return undefined;
  const { marked, times, isCorrected } = markTimes(withoutWish(cleanText(plain)), { command, tasks, isGuess }, zone);
  const names = new Set(tasks.flatMap(({ title }) => toStems(title)));
  const clauses = splitClauses(marked, names);
  const order = findOrder(clauses, names);
  if (order === undefined || ASKED.test(marked) || /\binstead of \w+ing\b/i.test(order)) return undefined;
  const all = new Set([...names, ...namesIn(text, list?.tasks ?? memory.known)]);
  if (isRetracted(clauses, order, { names, all })) return undefined;
  // Words of a title narrow a group: "all my dentist appointments".
  const isGroup = command.slots.filter !== undefined;
  const said = saidWords(order);
  const isNamed = said.some((word) => isName(word, names));
  const isOthers = !isNamed && said.some((word) => isName(word, all));
  if (!isClosed(order, all) || isOthers || (isGroup && isNamed) || !isCounted(order, tasks, names)) return undefined;
  const isFresh = memory.isLastFresh && memory.last?.id === tasks[0]?.id;
  if (isGuess && !(isNamed ? isNamedWell(order, tasks) : isFresh)) return undefined;
  const isMoving = isCorrected || clauses.some(hasCue);
  const isCued = isMoving || BARE.test(`${order} `) || (!isGuess && (isNamed || tasks.length > 1));
  return isCued ? timeOf(order, times, { command, tasks, isGuess }, zone) : undefined;
}

interface Names {
  /** Words of the tasks that are to be moved. */
  names: ReadonlySet<string>;
  /** The same, and of other tasks that are named in the message. */
  all: ReadonlySet<string>;
}

/** A remark takes the order back, or is about another task: "move gym to Saturday, sorry, the dentist". */
function isRetracted(clauses: readonly string[], order: string, { names, all }: Names): boolean {
  const isOther = (part: string) =>
    !part.includes(MARK) && saidWords(part).some((word) => isName(word, all) && !isName(word, names));
  const isBehind = (index: number) => index > clauses.indexOf(order);
  return clauses.some(
    (part, index) =>
      part !== order && (RETRACTED.test(part) || (isBehind(index) && (TAKEN_BACK.test(part) || isOther(part)))),
  );
}

/** "I want to", "could you …?", "if possible": the rest is the order. */
function withoutWish(text: string): string {
  const asked = text.replace(/^((?:\w+[\s,]+){0,2})(?:can|could|would|will) (?:you|u|we|i)\b([^?]*)\?+/i, '$1$2.');
  return asked
    .replace(/,?\s*\b(?:if possible|if you can|if that works|if (?:it is|it's) ok(?:ay)?)\b/gi, '')
    .replace(/\b(?:finished|done|ready|completed) (?=by\b)/i, '')
    .replace(/\b(?:(?:has|have|needs?|ought) to|should) be\b/i, 'must be')
    .replace(
      /\bhad better\b|(?<=day|tomorrow|today|\d)(?<!\bon \w+) was (?:right|fine|ok(?:ay)?|better)(?=\W*$)/i,
      ' better',
    )
    .replace(
      /\b(?:i|we) (?:mean|meant|want(?: to)?|need(?: to)?|(?:would )?like to)\b|\b(?:i|we)'d like(?: to)?\b/gi,
      'meant',
    );
}

/** "reply to Anna" may be another task than "reply to Anna about the rent": with the verb the whole title is said. */
function isNamedWell(order: string, tasks: readonly KnownTask[]): boolean {
  const stems = new Set(saidWords(order).map((word) => stem(word)));
  return tasks.every(({ title }) => {
    const [verb = ''] = verbOf(title) === undefined ? [] : title.toLowerCase().split(/\s+/);
    const isSaid = verb !== '' && new RegExp(`(?<!\\b(?:the|an?|my|our|that) )\\b${verb}\\b`, 'i').test(order);
    return !isSaid || toStems(title).every((word) => stems.has(word));
  });
}

const NUMERALS = ['one', 'two', 'three', 'four', 'five'];

/** False if the words are for more tasks than these, or for fewer. */
function isCounted(order: string, tasks: readonly KnownTask[], names: ReadonlySet<string>): boolean {
  const said = saidWords(order).filter((word) => !isName(word, names));
  const counted = said.map((word) => NUMERALS.indexOf(word) + 1).find((count) => count > 1);
  if (counted !== undefined) return counted === tasks.length;
  return tasks.length > 1 || !said.some((word) => /^(?:all|both|everything|them|each|every|these|those)$/.test(word));
}

/** The words of other tasks that are named as a whole. */
function namesIn(text: string, tasks: readonly KnownTask[]): string[] {
  const said = new Set(toStems(text));
  const isSaid = ({ title }: KnownTask) =>
    toStems(verbOf(title) === undefined ? title : title.replace(/^\S+\s+/, '')).every((word) => said.has(word));
  return tasks.filter(isSaid).flatMap(({ title }) => toStems(title));
}

/** The clause that says the new time: of several, the only plain one with a word of moving, or the only one with a name. */
function findOrder(clauses: readonly string[], names: ReadonlySet<string>): string | undefined {
  const timed = clauses.filter((part) => part.includes(MARK));
  if (timed.length < 2) return timed[0];
  const count = (part: string) => new Set(saidWords(part).filter((word) => isName(word, names))).size;
  const most = Math.max(1, ...timed.map(count));
  const named = timed.filter((part) => count(part) === most);
  const plain = timed.filter((part) => hasCue(part) && isClosed(part, names));
  return [plain, named].find((some) => some.length === 1)?.[0];
}

/** Clauses; also the parts of "milk to Friday and eggs to Monday", and a reason behind "because". */
function splitClauses(marked: string, names: ReadonlySet<string>): string[] {
  const parts = marked
    .split(/[.!;](?=\s|$)|\n|\s+-+\s+|\s+(?:because|since|cos|cause|coz|bc|as|so that)\s+/i)
    .flatMap((part) => joinTimes(part.split(/,\s*|\s*:\s+/)))
    .flatMap((part) => (countTimes(part) > 1 ? joinTimes(part.split(/\s+(?:and|but|then)\s+/i)) : [part]))
    .map((part) => part.trim())
    .filter((part) => part !== '');
  // "dana, 3 not 2": the name and the time belong together.
  const [first, second, third] = parts;
  const isNamed =
    first !== undefined && countTimes(first) === 0 && saidWords(first).some((word) => isName(word, names));
  return second !== undefined && third === undefined && isNamed ? [`${first} ${second}`] : parts;
}

/** A part that is only a time belongs to the one before it: "Friday, 5pm". */
function joinTimes(parts: readonly string[]): string[] {
  const joined: string[] = [];
  for (const part of parts) {
    const isBare = new RegExp(`^(?:\\s|at|on|the|${MARK}\\d${MARK})+$`, 'i').test(part);
    if (isBare && joined.length > 0) joined.push(`${joined.pop()} ${part}`);
    else joined.push(part);
  }
  return joined;
}

function countTimes(part: string): number {
  return part.split(MARK).length >> 1;
}
