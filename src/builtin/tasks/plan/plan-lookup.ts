import { withoutVerb } from '../../../language/action-verbs.ts';
import { cleanText } from '../../../language/clean-text.ts';
import { contentStems } from '../../../language/words.ts';
import { describeDue, quoteAll } from '../../reply.ts';
import type { KnownTask } from '../known-task.ts';
import { isPronoun, resolveReference } from '../resolve-reference.ts';
import { findMentions } from '../talk/mentions.ts';
import { type Command, type Done, done, failed, lookUpTasks, type TaskContext, type Work } from '../task-context.ts';
import { planList } from './plan-list.ts';

/** Answers a question about a task from the list; changes nothing. */
export function* planLookup(command: Command, context: TaskContext): Work<Done> {
  const ref = command.slots.ref ?? '';
  if (ref === '')
    return (yield* whenMentioned(command, context)) ?? (yield* planList(openIfNext(command, context), context));
  const looked = yield* lookUpTasks(context);
  if ('error' in looked) return failed(command, looked);
  const found = resolveReference(ref, looked.tasks, { ordered: looked.tasks, last: context.memory.last });
  if (found.kind === 'none')
    return done(command, `I couldn't find a task matching '${ref}'. Say "show my tasks" to see them.`);
  const tasks = found.kind === 'one' ? [found.item] : found.items;
  return done(command, describeStates(tasks, context));
}

const WHEN = /^(?:(?:and|so|but|ok|oh|then)[\s,]+)*(?:when(?:'s| is| are)|what (?:time|day|date) (?:is|are))\b/i;
const NEXT = /\b(?:most urgent|due (?:first|next)|comes? (?:first|next)|soonest|earliest|next up)\b/i;

/** "when is milk due?" is about that task, not about the list. */
function* whenMentioned({ slots }: Command, context: TaskContext): Work<Done | undefined> {
  const text = cleanText(context.text);
  return slots.when === undefined && WHEN.test(text) ? yield* lookUpMentioned(text, context) : undefined;
}

/** Only open tasks are urgent. */
function openIfNext(command: Command, { text }: TaskContext): Command {
  const isNext = NEXT.test(text) && command.slots.filter === undefined;
  return isNext ? { ...command, slots: { ...command.slots, filter: 'pending' } } : command;
}

/** The same where the words may be about anything: undefined unless a task has them. */
export function* lookUpKnown(command: Command, context: TaskContext): Work<Done | undefined> {
  const looked = yield* lookUpTasks(context);
  if ('error' in looked) return undefined;
  const found = resolveReference(command.slots.ref ?? '', looked.tasks, { ordered: [] });
  if (found.kind === 'none' || found.how === 'overlap') return undefined;
  return done(command, describeStates(found.kind === 'one' ? [found.item] : found.items, context));
}

const ABOUT_TASK =
  /^(?:(?:and|so|but|ok|oh|then)[\s,]+)*(?:when(?:'s| is| are| was| were)|what (?:time|day|date) (?:is|are|was|were)|(?:is|are|was|were)\s+\S+|which day)\b/i;

/** "when's the pizza?", "is that still at ten?": answered from the tasks of this conversation. */
export function* lookUpMentioned(text: string, context: TaskContext): Work<Done | undefined> {
  if (!ABOUT_TASK.test(text)) return undefined;
  const { known, last, isLastFresh } = context.memory;
  const subject = /^(?:is|are|was|were)\s+(\S+)/i.exec(text)?.[1] ?? '';
  const named = known.filter((task) => isMentioned(task, text));
  const meant = named.length > 0 ? named : isPronoun(subject) && last && isLastFresh ? [last] : [];
  if (meant.length === 0) return undefined;
  const looked = yield* lookUpTasks(context);
  const tasks = 'error' in looked ? [] : looked.tasks.filter(({ id }) => meant.some((task) => task.id === id));
  const command: Command = { action: 'list', confidence: 0.7, slots: {} };
  return tasks.length === 0 ? undefined : done(command, describeStates(tasks, context));
}

const ASKS =
  /^(?:(?:and|so|but|ok|okay|oh|then|wait|right|hm+|k)[\s,.!]+)*(?:what|what's|which|when|when's|where|how|who|anything|any|show|tell me|read|remind me|is|are|was|were|do|does|did|have|has|could you tell|can you tell)\b|\?\s*$/i;
const OF_LIST =
  /\b(?:list|tasks?|things?|everything|anything|left|remain\w*|outstanding|open|pending|due|deadlines?|next|first|earl(?:y|ier|iest)|soon(?:est)?|order|again|so far|still|to do|todo|doing|dates?|i have|have i|i got|whole lot|saved?|other|matters)\b/i;

/**
 * A question in a talk about tasks that no pattern knows: answered by the tasks that it names, or by the list where its
 * words are those of a list. Undefined for anything else. Changes nothing.
 */
export function* answerAsked(text: string, context: TaskContext): Work<Done | undefined> {
  const { known } = context.memory;
  if (known.length === 0 || !ASKS.test(text)) return undefined;
  const mentions = findMentions(text, known);
  const command: Command = { action: 'list', confidence: 0.6, slots: {} };
  if (mentions.kind === 'none') {
    const isOfList = OF_LIST.test(text) && mentions.others.every((word) => OF_LIST.test(word));
    return isOfList ? yield* planList(command, context) : undefined;
  }
  const named =
    mentions.kind === 'one'
      ? [mentions.task]
      : mentions.kind === 'many'
        ? mentions.tasks
        : mentions.mentions.map(({ task }) => task);
  const looked = yield* lookUpTasks(context);
  const tasks = 'error' in looked ? [] : looked.tasks.filter(({ id }) => named.some((task) => task.id === id));
  return tasks.length === 0 ? undefined : done(command, describeStates(tasks, context));
}

/** True if a text has the word that a title is about. */
function isMentioned({ title }: KnownTask, text: string): boolean {
  const object = withoutVerb(title.toLowerCase().split(/\s+/));
  const end = object.findIndex(
    (word, index) => index > 0 && /^(?:for|about|with|from|at|by|to|on|in|of|and)$/.test(word),
  );
  const about = contentStems(object.slice(0, end < 0 ? undefined : end).join(' ')).at(-1);
  return about !== undefined && contentStems(text).includes(about);
}

function describeStates(tasks: readonly KnownTask[], { zone }: TaskContext): string {
  const dated = tasks.filter((task) => !task.is_completed && task.due_date !== undefined);
  if (dated.length > 0) {
    const others = tasks.filter((task) => !dated.includes(task));
    const lines = dated.map((task) => `'${task.title}' is still open, due ${describeDue(task.due_date ?? '', zone)}.`);
    return [...lines, ...(others.length > 0 ? [describeUndated(others)] : [])].join(' ');
  }
  return describeUndated(tasks);
}

function describeUndated(tasks: readonly KnownTask[]): string {
  const [finished, open] = [tasks.filter((task) => task.is_completed), tasks.filter((task) => !task.is_completed)];
  const parts = [
    ...(open.length > 0 ? [`${titles(open)} ${open.length === 1 ? 'is' : 'are'} still open.`] : []),
    ...(finished.length > 0 ? [`${titles(finished)} ${finished.length === 1 ? 'is' : 'are'} marked as done.`] : []),
  ];
  return parts.join(' ');
}

function titles(tasks: readonly KnownTask[]): string {
  return quoteAll(
    tasks.map((task) => task.title),
    'and',
  );
}
