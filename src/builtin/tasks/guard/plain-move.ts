import { cleanText } from '../../../language/clean-text.ts';
import { stem, toStems } from '../../../language/words.ts';
import { findMentions, topicWords } from '../talk/mentions.ts';
import type { KnownTask } from '../known-task.ts';
import { isPronoun } from '../resolve-reference.ts';
import type { ChangeCommand, TaskContext } from '../task-context.ts';

/** Verbs that say something else of a thing and a time than that it is due then. */
const REMARK =
  /\b(?:expires?|goes (?:up|down|off|on)|(?:is|are) (?:off|away|closed|open|shut|out)|was|were|ends?|starts?|begins?|opens?|closes?|arrives?|arrived|leaves|left|paid|bought|died|broke|the (?:day|time|week|year) (?:i|we)|sec|secs|second|moment)\b/i;
/** Words that speak of another time for something. */
const MOVING =
  /\b(?:mov(?:e|ed|es|ing)|push(?:ed|ing)?|shift(?:ed|ing)?|put|set|make|chang(?:e|ed|es|ing)|re-?sched\w*|postpon\w*|prepon\w*|bring|brought|delay\w*|due|deadline|instead|not|earlier|later|sooner|now)\b|n't\b/i;
/** Words that make it a thought, a question, or turn it round; "7, not 6" does not. */
const THOUGHT =
  /\b(?:if|unless|whether|would|could|should|might|may|ought|must|wish|hope|supposed|pretend|imagine|maybe|perhaps|probably|almost|nearly|or|never|forgot|forgotten|missed|said|says|asked|told|wants?|tried|keep|leave|stays?|kidding|don'?t|doesn'?t|didn'?t|isn'?t|can'?t|cannot|won'?t|wasn'?t|aren'?t)\b|\?/i;
/** An order about several tasks begins with its verb. */
const BULK =
  /^(?:(?:please|ok(?:ay)?|and|then|now|so|also|can you|could you)[\s,]+)*(?:move|push|shift|postpone|delay|reschedule|put|set|bring|make)\b/i;
const NUMERALS = ['two', 'three', 'four', 'five'];
/** Groups up to this size are moved without a question. */
const MAX_MOVED = 5;

/** False for "milk expires tomorrow": a time that is said of a task need not be its own. */
export function isPlainMove(text: string): boolean {
  return MOVING.test(text) || !REMARK.test(text);
}

/**
 * True if the message speaks of another time for this one task, in words of its title or right after a turn about it: the
 * new time is set without a question, whoever heard it, since it is easily mended.
 */
export function isClearMove(command: ChangeCommand, task: KnownTask, { text, memory, list }: TaskContext): boolean {
  const { ref = '', when } = command.slots;
  const clean = cleanText(text);
  if (!isNewTime(command) || / (?:and|other) /.test(when ?? '') || THOUGHT.test(clean) || !(MOVING.test(text) || MOVING.test(clean))) return false;
  const open = (list?.tasks ?? memory.known).filter(({ is_completed }) => !is_completed);
  const said = text.replace(when ?? '', ' ');
  const mentioned = findMentions(said, open);
  if (mentioned.kind === 'one') {
    const own = new Set(toStems(task.title));
    const isOwn = topicWords(ref).every((word) => own.has(stem(word)));
    return mentioned.task.id === task.id && mentioned.isHead && (isPronoun(ref) || isOwn);
  }
  return mentioned.kind === 'none' && topicWords(said).length === 0 && memory.isLastFresh && memory.last?.id === task.id;
}

/** True if an order moves a few tasks at once, and nothing in it is in doubt. */
export function isClearBulkMove(command: ChangeCommand, tasks: readonly KnownTask[], { text }: TaskContext): boolean {
  const counted = NUMERALS.indexOf(/\b(?:all|both|the) (?:of )?(?:the )?(two|three|four|five)\b/i.exec(text)?.[1]?.toLowerCase() ?? '');
  const isSmall = tasks.length <= MAX_MOVED && command.slots.except === undefined;
  if (counted >= 0 && counted + 2 !== tasks.length) return false;
  return isNewTime(command) && isSmall && !command.isGuess && !THOUGHT.test(text) && BULK.test(text.trim());
}

function isNewTime({ action, slots: { when, title, description, is_completed } }: ChangeCommand): boolean {
  const others = [title, description, is_completed];
  return action === 'update' && when !== undefined && others.every((slot) => slot === undefined);
}
