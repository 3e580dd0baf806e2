import { startsWithVerb } from '../../language/action-verbs.ts';
import { splitClauses } from '../../language/clauses.ts';
import { cleanText, stripPoliteness } from '../../language/clean-text.ts';
import { extractWhen } from '../../language/when.ts';
import type { Zone } from '../../language/zoned-time.ts';
import { isTaskProhibition } from '../tools/prohibition.ts';
import { classify, type Gate, type Reading } from './frames/classify.ts';
import type { TaskFrame } from './frames/frame.ts';
import { readConditional } from './frames/frame-create.ts';
import { readReverse } from './frames/frame-reverse.ts';
import { toPlainOrder } from './frames/plain-order.ts';
import { readFrame } from './frames/read-frame.ts';
import { type Question, readNotDone, readQuestion } from './frames/read-question.ts';
import { readTaskList, splitErrands, splitLines } from './frames/split-list.ts';
import { isPronoun } from './resolve-reference.ts';
import { readSmallTalk } from './small-talk.ts';
import type { Command } from './task-context.ts';

/** The interpretation of a message: commands, or something that is not a command. */
export type Understanding =
  /** `isDoubtful`: only if they mean a task that the user has. */
  | { kind: 'commands'; commands: Command[]; isDoubtful?: boolean; otherwise?: Command }
  /** Words that could be about a task, without saying what to do. */
  | { kind: 'vague'; words: string; readings: Reading[]; confidence: number }
  | {
      kind: 'other';
      topic: 'greeting' | 'thanks' | 'others' | 'help' | 'answer' | 'forbidden' | 'elsewhere' | 'unknown';
      confidence: number;
    };

const HELP =
  /^(?:\/?(?:help|commands|usage)(?: me)?(?: please)?|\?+|(?:so )?what (?:(?:can|could|do) you (?:do|help(?: me)? with)(?: for me| here)?|can i (?:say|ask)(?: to you| you| here)?|are you(?: able to do| for)?|(?:is|are) your (?:commands|abilities|features|capabilities))|who are you|how (?:does (?:this|it) work|do (?:i use (?:this|it|you)|you work)|can you help(?: me)?|to use (?:this|it|you)))[\s.!?]*$/i;
/** An answer to nothing. */
const BARE_ANSWER =
  /^(?:yes|yep|yeah|yup|no|nope|nah|ok|okay|sure|maybe)\b[\s,.!]*(?:please|thanks|thank you|thing)?[\s.!]*$/i;
const OTHERS =
  /\b(?:(?!today|tomorrow|yesterday|tonight|week|month|day|monday|tuesday|wednesday|thursday|friday|saturday|sunday|what|that|let|it|here|there|who|how|where|when|task|list)[a-z]+'s (?:tasks?|to-?dos?|(?:to-?do |task )?list|reminders)|(?:other|another|different) (?:user|person|people|account)s?(?:'s?|s')?(?: ?(?:tasks?|to-?dos?|list))?|(?:everyone|everybody|somebody|someone)(?: else)?'s (?:tasks?|list|to-?dos?)|all users|tasks? (?:of|for|from) (?:user|other users|everyone)\b)/i;
/** "delete it. no wait, don't": the last word counts, and it leaves everything as it is. */
const TAKEN_BACK =
  /\S[.,;!-]+\s*(?:(?:or|oh|no+|wait|actually|sorry|hmm)[\s,.!]+)*(?:don'?t(?: do (?:it|that))?|never ?mind|nvm|forget (?:it|that)|scratch that|cancel that|keep it|leave it)(?:[\s,.!]+(?:the|it|that|there|we|i)\b(?!.*\b(?:add|put|make|move|rename|instead)\b)[^.!?]{2,60})?[\s.!]*$/i;
const HESITATION =
  /[.,;!-]\s*(?:or |oh |hmm |uh )*(?:no[\s,]+wait|wait[\s,]+no|actually|no[\s,]+(?:sorry|don'?t|never))\b/i;
/** "open my grocery list and add milk": there is one list, and it is always open. */
const OPENED =
  /^(?:please\s+)?(?:open|bring up|pull up|find|go to)(?: up)?\s+(?:my |the )?(?:[\w-]+ ){0,2}lists?,?\s+(?:(?:and|then)\s+)+(?=(?:add|put|remove|delete|take|mark)\b)/i;
const TAKES_TITLE = /^(?:remind|add|create|remember|don'?t forget)\b/i;

/** Reads a message for an agent that keeps tasks. */
export function understand(text: string, zone: Zone, gate: Gate): Understanding {
  const clean = cleanText(text);
  const talk = readSmallTalk(clean);
  if (talk) return { kind: 'other', topic: talk, confidence: 0.95 };
  if (HELP.test(clean)) return { kind: 'other', topic: 'help', confidence: 0.95 };
  if (BARE_ANSWER.test(clean)) return { kind: 'other', topic: 'answer', confidence: 0.9 };
  if (OTHERS.test(clean) && !TAKES_TITLE.test(stripPoliteness(clean)))
    return { kind: 'other', topic: 'others', confidence: 0.9 };
  if (
    TAKEN_BACK.test(clean) &&
    !readReverse(clean) &&
    (HESITATION.test(clean) || !TAKES_TITLE.test(stripPoliteness(clean)))
  )
    return { kind: 'other', topic: 'forbidden', confidence: 0.9 };
  const reverse = readLastReverse(clean);
  if (reverse) return { kind: 'commands', commands: [toCommand(reverse, clean, { zone, confidence: 0.9 })] };
  const conditional = readConditional(clean);
  if (conditional) return { kind: 'commands', commands: [toCommand(conditional, clean, { zone, confidence: 0.9 })] };
  const ordered = toPlainOrder(text.replace(OPENED, '').split('\n').map(cleanText).join('\n'));
  const clauses = splitCommands(ordered, zone);
  const parts = clauses.map((clause) => withErrands(readClause(clause, zone, gate)));
  const commands = parts.flatMap((part) => (part.kind === 'commands' ? part.commands : []));
  // "delete it. no wait, don't": the last word counts, and it leaves everything as it is.
  if (clauses.length > 1 && commands.length > 1 && commands.at(-1)?.action === 'dismiss')
    return { kind: 'other', topic: 'forbidden', confidence: 0.9 };
  const whole = clauses.length > 1 ? withErrands(readClause(cleanText(ordered), zone, gate)) : parts[0];
  const isNamedBefore = clauses.slice(0, -1).some((clause) => clause.split(/\s+/).length > 2);
  const bound = isNamedBefore ? bindPronouns(commands) : commands;
  if (commands.length > 0 && !(whole && isClearer(whole, commands))) {
    const isDoubtful = parts.every((part) => part.kind !== 'commands' || part.isDoubtful);
    const [only] = parts;
    const otherwise = parts.length === 1 && only?.kind === 'commands' ? only.otherwise : undefined;
    return { kind: 'commands', commands: bound, ...(isDoubtful && { isDoubtful }), ...(otherwise && { otherwise }) };
  }
  return whole ?? { kind: 'other', topic: 'unknown', confidence: 0.5 };
}

/** "haha they are coming after all. undo", "it's on again, bring it all back": the last words count. */
function readLastReverse(clean: string): TaskFrame | undefined {
  const [, head = '', link = '', last = ''] = /^(.*\S)([.!?,])\s+([^.!?,]+)[.!?]*$/s.exec(clean) ?? [];
  const reverse = last === '' ? undefined : readReverse(last);
  if (reverse?.action === 'undo') return link === ',' && readFrame(head)?.sure ? undefined : reverse;
  const isRestored = reverse?.action === 'restore' && isPronoun(reverse.slots.ref ?? 'it') && !readFrame(head);
  return isRestored ? reverse : undefined;
}

/** "I need to clean the oven and call Ann": each errand is a task. */
function withErrands(understood: Understanding): Understanding {
  if (understood.kind !== 'commands') return understood;
  const commands = understood.commands.flatMap((command) => {
    const errands =
      command.action === 'create' && !command.isWhole && !command.isQuoted
        ? splitErrands(command.slots.title ?? '')
        : [];
    return errands.length > 1
      ? errands.map((title) => ({ ...command, slots: { ...command.slots, title } }))
      : [command];
  });
  return { ...understood, commands };
}

/** Splits a message into commands: an announced list, lines that are commands, clauses. */
function splitCommands(text: string, zone: Zone): string[] {
  const titles = readTaskList(text);
  if (titles.length > 0) return titles.map((title) => `add task: ${cleanText(title)}`);
  return splitLines(text).flatMap((line) => {
    const clean = cleanText(line);
    return splitSame(clean) ?? splitClauses(clean).flatMap((clause) => splitTimes(clause, zone) ?? [clause]);
  });
}

/** "remind me to call mom tomorrow and pay rent on Friday": two times are two tasks. */
function splitTimes(clean: string, zone: Zone): string[] | undefined {
  const parts = clean.split(/,\s+(?:and\s+)?(?:also\s+|to\s+)*|\s+and\s+(?:also\s+|to\s+)*/i);
  const [first = '', ...others] = parts;
  const areTasks =
    others.length > 0 &&
    others.every(
      (part) => (startsWithVerb(part) || (readFrame(first)?.sure && isDatedNoun(part, zone))) && !readFrame(part)?.sure,
    );
  if (!areTasks || readFrame(first)?.action !== 'create' || !parts.every((part) => extractWhen(part, zone)))
    return undefined;
  return [first, ...others.map((part) => `add task: ${part}`)];
}

/** "eye drops tomorrow at eight": a few words with a day of their own. */
function isDatedNoun(part: string, zone: Zone): boolean {
  const when = extractWhen(part, zone);
  const words = when?.rest.match(/\p{L}{2,}/gu) ?? [];
  return (
    when?.hasDay === true && words.length > 0 && words.length <= 5 && !isPronoun(when.rest) && !/^\w+ing\b/i.test(part)
  );
}

/** "milk done, eggs done": parts that are all commands of the same kind. */
function splitSame(clean: string): string[] | undefined {
  if (/["']|^(?:remind|add|put|i (?:need|have))\b/i.test(clean)) return undefined;
  const parts = clean.split(/\s*[,;]\s*(?:and\s+)?|\s+and\s+/i).filter((part) => part !== '');
  const [first] = parts.map((part) => readFrame(part));
  const isSame = parts.every((part) => {
    const frame = readFrame(part);
    return (
      frame?.sure && frame.action === first?.action && frame.slots.ref !== undefined && frame.slots.except === undefined
    );
  });
  return parts.length > 1 && isSame && first?.action === 'complete' ? parts : undefined;
}

/**
 * "I don't need the milk, delete it": a pronoun means what the same message named before. After words that were not
 * understood it means nothing, and the task is asked for.
 */
function bindPronouns(commands: readonly Command[]): Command[] {
  return commands.flatMap((command, index) => {
    const [before, next] = [commands[index - 1], commands[index + 1]];
    const isRepeated =
      next?.action === command.action && isPronoun(next.slots.ref ?? '') && command.slots.ref !== undefined;
    if (isRepeated) return [];
    if (!isPronoun(command.slots.ref ?? '')) return [command];
    const { ref: _, ...slots } = command.slots;
    const named = before?.slots.ref ?? (before?.action === 'create' ? before.slots.title : undefined);
    return named === undefined
      ? [{ ...command, slots, missing: 'ref' as const }]
      : [{ ...command, slots: { ...slots, ref: named } }];
  });
}

/** "I'm out of milk, put that on my list" says more as a whole than its second half does. */
function isClearer(whole: Understanding, commands: readonly Command[]): boolean {
  const isOpen = commands.some((command) => command.missing !== undefined);
  return isOpen && whole.kind === 'commands' && whole.commands.every((command) => command.missing === undefined);
}

function readClause(clause: string, zone: Zone, gate: Gate): Understanding {
  const reverse = readReverse(clause);
  if (reverse) return { kind: 'commands', commands: [toCommand(reverse, clause, { zone, confidence: 0.9 })] };
  if (isTaskProhibition(clause)) return { kind: 'other', topic: 'forbidden', confidence: 0.9 };
  const { readings, kind, confidence } = classify(clause, gate);
  const [best] = readings;
  if (kind === 'unknown') return { kind: 'other', topic: 'unknown', confidence };
  const question = readQuestion(clause);
  if (question && !(best?.frame.sure && best.frame.action === 'list')) {
    const list = best && toCommand({ ...best.frame, action: 'list' }, clause, { zone, confidence });
    return askAbout(question, kind === 'command' ? best : best && { ...best, isBacked: false }, list);
  }
  const isOther = best?.frame.action === 'create' || best?.frame.action === 'list';
  const isSettled = best?.isBacked && (isOther || best.frame.sure);
  const denied = isSettled ? undefined : readNotDone(clause);
  if (denied) return reopenIfDone(denied, confidence);
  if (!best || kind === 'vague') return { kind: 'vague', words: clause, readings, confidence };
  const command = {
    ...toCommand(best.frame, clause, { zone, confidence }),
    isGuess: !best.isBacked || best.frame.isRemark === true,
    isDoubted: kind === 'doubt',
  };
  return { kind: 'commands', commands: [command], isDoubtful: kind === 'doubt' };
}

/** A question is answered, never obeyed: by the tasks that it names, or by the list that the model hears in it. */
function askAbout(question: Question, best: Reading | undefined, list: Command | undefined): Understanding {
  if (!best || !list) return { kind: 'other', topic: 'unknown', confidence: 0.5 };
  const { confidence } = list;
  const isList = best.frame.action === 'list';
  if (question.about === '') return { kind: 'commands', commands: [isList ? list : toLookup(question, confidence)] };
  const lookup = { kind: 'commands', commands: [toLookup(question, confidence)] } as const;
  if (best.isBacked && !isList) return { ...lookup, commands: [...lookup.commands] };
  return { ...lookup, commands: [...lookup.commands], isDoubtful: true, ...(isList && { otherwise: list }) };
}

/** "I haven't bought milk yet": the task is open, or is opened again after a yes. */
function reopenIfDone({ about }: Question, confidence: number): Understanding {
  const slots = { ...(about !== '' && { ref: about }), is_completed: false } as const;
  const command: Command = { action: 'update', confidence, slots, isGuess: true };
  return about === ''
    ? { kind: 'other', topic: 'unknown', confidence }
    : { kind: 'commands', commands: [command], isDoubtful: true };
}

/** A question is answered from the list, whatever order its words resemble. */
function toLookup({ about }: Question, confidence: number): Command {
  return { action: 'list', confidence, slots: about === '' ? {} : { ref: about } };
}

export function toCommand(
  frame: TaskFrame,
  clause: string,
  { zone, confidence }: { zone: Zone; confidence: number },
): Command {
  const when = frame.action === 'list' ? listWhen(clause, zone) : undefined;
  return {
    action: frame.action,
    confidence,
    slots: { ...frame.slots, ...(when !== undefined && { when }) },
    missing: frame.missing,
    isList: frame.isList,
    isQuoted: frame.isQuoted,
    isWhole: frame.isWhole,
    shift: frame.shift,
    isMild: frame.isMild,
    isRedo: frame.isRedo,
  };
}

function listWhen(clause: string, zone: Zone): string | undefined {
  return /\b(?:overdue|late)\b/i.test(clause) ? 'overdue' : extractWhen(clause, zone)?.text;
}
