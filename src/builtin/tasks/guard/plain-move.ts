import { cleanText } from '../../../language/clean-text.ts';
import { stem, toStems } from '../../../language/words.ts';
import type { KnownTask } from '../known-task.ts';
import type { TaskContext } from '../task-context.ts';
import { type Move, markTimes, timeOf } from './move-times.ts';
import { hasCue, isClosed, isFiller, isName, MARK, saidWords } from './move-words.ts';
import { plainText } from './plain-parts.ts';
import { verbOf } from './verb-families.ts';

/** In the clause of the order: it is denied, a thought, a question, or somebody else's. */
const TURNED =
  /\b(?:not|n't|cannot|no way|impossible|silly|refrain|wanted|kidding|nah|or|if|unless|but|away from|after|dnt|dno't|dont|doesnt|didnt|cant|wont|isnt|wants? to|remind me|maybe|perhaps|might|wish|think|thought|would|should|could have|almost|nearly|never|forgot|anywhere|usually|always|why|instead of \w+ing)\b|n't\b|^\p{Lu}?\p{L}+:|\?/iu;
/** A remark beside the order that takes it back. */
const RETRACTED =
  /\b(?:kidding|joking|joked|jk|sike|if|unless|stays?|keep|undo|remind|don'?t (?:move|do|change|bother)|leave (?!the (?:date|time|day))|or not|the other|changed my mind)\b|\b(?:says?|said|asks?|asked|told me|wrote)$|\?/i;
/** The same, behind the order. */
const TAKEN_BACK = /^(?:not|not really|no|nah|nope|or|wait|never ?mind|nvm|scratch that|forget it|maybe|perhaps)$/i;
/** A question without its sign, or what somebody does. */
const ASKED = /^(?:is|are|was|were|does|do|did|why|what|when|who|how|which|where|has|have|am|will)\b|\?/i;
/** "to Friday", "at 5": an answer to what was just said. */
const BARE =
  /^(?:(?:for|on|at|by|to|until|till|before|from|the|due|say|no|hmm+|sorry|ok|okay|actually|and|then|please|oh|again|for (?:that|it|this))[\s,]+|\u0002\d\u0002\s*)+$/i;
/**
 * The new time that a message orders for these tasks; undefined if it is to be asked about. Plain: the time aside, every
 * word of the clause is of moving or of the titles. Other words pass only beside a word of moving, where nothing turns
 * the order round.
 */
export function plainMove(
  { command, tasks, isGuess }: Move,
  { text, zone, list, memory }: Pick<TaskContext, 'text' | 'zone' | 'list' | 'memory'>,
): { when?: string } | undefined {
  const plain = plainText(text);
  if (plain === undefined) return undefined;
  const { marked, times, isCorrected } = markTimes(withoutWish(cleanText(plain)), { command, tasks, isGuess }, zone);
  const names = new Set(tasks.flatMap(({ title }) => toStems(title)));
  const clauses = splitClauses(marked, names);
  const order = findOrder(clauses, names);
  if (order === undefined || isRetracted(clauses, order) || ASKED.test(marked)) return undefined;
  const all = new Set([...names, ...namesIn(text, list?.tasks ?? memory.known)]);
  const said = saidWords(order);
  const isMoving = isCorrected || clauses.some(hasCue);
  if (isClosed(order, all)) {
    const isNamed = said.some((word) => isName(word, names));
    const isOthers = !isNamed && said.some((word) => isName(word, all));
    const isFresh = memory.isLastFresh && memory.last?.id === tasks[0]?.id;
    if (isOthers || !isCounted(order, tasks) || (isGuess && !(isNamed ? isNamedWell(order, tasks) : isFresh)))
      return undefined;
    if (/\binstead of \w+ing\b/i.test(order)) return undefined;
    const isCued = isMoving || BARE.test(`${order} `) || (!isGuess && (isNamed || tasks.length > 1));
    return isCued ? timeOf(order, times, { command, tasks, isGuess }, zone) : undefined;
  }
  const isObject = isClosed(OBJECT.exec(order)?.[1] ?? SUBJECT.exec(order)?.[1] ?? '', all);
  return isGuess || !isMoving || !isObject || TURNED.test(order) || !isTimeLast(order) ? undefined : {};
}

function isRetracted(clauses: readonly string[], order: string): boolean {
  const isBehind = (index: number) => index > clauses.indexOf(order);
  return clauses.some(
    (part, index) => part !== order && (RETRACTED.test(part) || (isBehind(index) && TAKEN_BACK.test(part))),
  );
}

/** "I want to", "could you …?", "if possible": the rest is the order. */
function withoutWish(text: string): string {
  const asked = text.replace(/^((?:\w+[\s,]+){0,2})(?:can|could|would|will) (?:you|u)\b([^?]*)\?+/i, '$1$2.');
  return asked
    .replace(/,?\s*\b(?:if possible|if you can|if that works|if (?:it is|it's) ok(?:ay)?)\b/gi, '')
    .replace(/\b(?:finished|done|ready|completed) (?=by\b)/i, '')
    .replace(/\b(?:(?:has|have|needs?|ought) to|should) be\b/i, 'must be')
    .replace(/\b(?:i|we)(?:'d| would)? (?:mean|meant|want(?: to)?|need(?: to)?|like(?: to)?)\b/gi, 'meant');
}

/** False for "Anna moved to Friday Street". */
function isTimeLast(order: string): boolean {
  const next = saidWords(order.slice(order.lastIndexOf(MARK)))[0];
  return next === undefined || isFiller(next);
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
function isCounted(order: string, tasks: readonly KnownTask[]): boolean {
  const said = saidWords(order);
  const counted = said.map((word) => NUMERALS.indexOf(word) + 1).find((count) => count > 1);
  if (counted !== undefined) return counted === tasks.length;
  return tasks.length > 1 || !said.some((word) => /^(?:all|both|everything|them|each|every|these|those)$/.test(word));
}

/** What is moved: "the client meeting" in "move the client meeting to Friday". */
const OBJECT =
  /\b(?:move|push|shift|postpone|prepone|reschedule|delay|bring|put|set|change|make)\s+(.+?)\s+(?:to|until|till|by|for|on|at|forward|back|\u0002)/i;
/** What has another time: "my sister's rent" in "my sister's rent is due on Friday". */
const SUBJECT = /^(.+?)(?:'s|\s+(?:is|are|will be|has to be|needs? to be|got|has been|was))\s.*\u0002/i;

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
