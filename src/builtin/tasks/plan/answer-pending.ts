import { startsWithVerb } from '../../../language/action-verbs.ts';
import { cleanText, stripPoliteness, unquote } from '../../../language/clean-text.ts';
import { extractWhen, mergeDue, type When } from '../../../language/when.ts';
import { contentStems, readPosition } from '../../../language/words.ts';
import { afterYes, isNo, isPlainYes, isYes } from '../../../language/yes-no.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import { cleanReference } from '../frames/clean-reference.ts';
import type { TaskFrame } from '../frames/frame.ts';
import { readFrame } from '../frames/read-frame.ts';
import { namesTasks } from '../guard/names-task.ts';
import { isNothing } from '../guard/no-errand.ts';
import { trimPart } from '../guard/plain-parts.ts';
import { isSaidPlainly } from '../guard/said-plainly.ts';
import type { KnownTask } from '../known-task.ts';
import { isPronoun, resolveReference } from '../resolve-reference.ts';
import { isOddTitle } from '../talk/odd-title.ts';
import type { Command, Pending } from '../task-context.ts';
import { type Answer, answerChoose, LEAD_IN } from './answer-choice.ts';
import { describeCommands } from './offer-readings.ts';
import { DURATION } from './shift-due.ts';

const SHIFTED = new RegExp(
  String.raw`^(?=by\b|.*\b(?:later|earlier|sooner|forward)\W*$)((?:by\s+)?${DURATION})(?:\s+(later|earlier|sooner|forward))?\W*$`,
  'i',
);
const TITLE_LEAD =
  /^(?:(?:to|that i (?:need|have) to|called|named|titled|it's called|the title is|title:?|make it|change it to|rename it to|call it|let's call it|add|just|put|set it to|something like)\s+)+/i;

export function answerPending(open: Pending, text: string, zone: Zone): Answer {
  // An answer to an older question says nothing about this one.
  const pending = 'command' in open ? { ...open, command: { ...open.command, isNamed: false } } : open;
  const clean = cleanText(text);
  const frame = readFrame(clean);
  if (pending.kind === 'offer') return mendOffer(pending, clean, zone) ?? answerOffer(pending, clean);
  if (pending.kind === 'confirm') return answerConfirm(pending, clean);
  if (isDismissal(clean)) return { kind: 'dropped' };
  if (/^(?:h+m+|u+h+m*|um+|er+|well|what|huh|oh)\W*$/i.test(clean)) return { kind: 'other' };
  if (isOtherCommand(pending, frame, clean)) return { kind: 'other' };
  return pending.kind === 'choose'
    ? answerChoose(pending, clean, { frame, zone })
    : answerFill(pending, clean, { frame, zone });
}

/** Only a plain yes settles it; "yes, let me check" is asked about once more. */
function answerConfirm({ command, candidates }: Extract<Pending, { kind: 'confirm' }>, text: string): Answer {
  const taken: Answer = { kind: 'command', command: { ...command, targets: candidates } };
  const isForMore = candidates.length < 2 && /\b(?:both|all|them)\b/i.test(text);
  if (isPlainYes(text)) return isForMore ? { kind: 'confirm', command, candidates } : taken;
  if (isDismissal(text)) return { kind: 'dropped' };
  const rest = afterYes(text);
  if (rest === undefined) return { kind: 'other' };
  const frame = readFrame(rest);
  const isSame = !frame?.sure || (frame.action === command.action && isPronoun(frame.slots.ref ?? 'it'));
  if (isSame && saysAgain(rest, command, candidates)) return taken;
  // "yes, delete it" to another question: it may mean either.
  return isSame || isPronoun(frame?.slots.ref ?? '') ? { kind: 'confirm', command, candidates } : { kind: 'other' };
}

/** "yes, the milk is done": the order itself, once more. */
function saysAgain(rest: string, { action }: Command, candidates: readonly KnownTask[]): boolean {
  if (action !== 'complete' && action !== 'delete') return false;
  const named = { tasks: candidates, known: [] };
  return isSaidPlainly(rest, { kind: action, ...named }) || namesTasks(trimPart(rest).words, named);
}

/** A yes takes the only reading; of several, one is chosen by its letter, its place or its words. */
function answerOffer({ choices }: Extract<Pending, { kind: 'offer' }>, text: string): Answer {
  const [only, another] = choices;
  // A plain yes takes the likeliest of several titles: a task that is added can be undone.
  const areNew = choices.flat().every(({ action }) => action === 'create');
  if (only && (areNew || !another) && (isYes(text) || isYesToAdd(text, only)))
    return { kind: 'commands', commands: only };
  const letter = /^\(?([abc])[).]?$/i.exec(text.trim())?.[1]?.toLowerCase();
  const position = letter === undefined ? readPosition(text) : letter.charCodeAt(0) - 'a'.charCodeAt(0) + 1;
  const placed = another && position !== undefined && position > 0 ? choices[position - 1] : undefined;
  const chosen = placed ?? choices.find((commands) => cleanText(describeCommands(commands)) === text);
  if (chosen) return { kind: 'commands', commands: chosen };
  return isDismissal(text) ? { kind: 'dropped' } : { kind: 'other' };
}

const MENDED =
  /^(?:(?:yes|yeah|yep|no|nope|sorry|actually|oh|wait|hmm+|ok(?:ay)?)[\s,.!]+)*(?:(?:but|just)\s+)?(?:make (?:it|that)|call it|it should (?:be|say|read)|change (?:it|that) to|i mean|i meant|rather|for|on|at|by)?\s*(.+?)(?:\s+(?:please|instead|then|sorry))*[\s.!]*$/i;

/** "no sorry, at eleven", "make that pick a song with Devon": a task that is offered, with another time or a longer title. */
function mendOffer({ choices }: Extract<Pending, { kind: 'offer' }>, text: string, zone: Zone): Answer | undefined {
  const [only] = choices[0] ?? [];
  if (!only || choices[0]?.length !== 1 || choices.flat().some(({ action }) => action !== 'create')) return undefined;
  const [whole = '', said = ''] = MENDED.exec(text) ?? [];
  const when = extractWhen(said, zone);
  const told = { ...only, isGuess: false };
  if (when && !when.isRange && when.rest.replace(/\W/g, '') === '')
    return {
      kind: 'commands',
      commands: [{ ...told, slots: { ...only.slots, when: laterWhen(only.slots.when, when, zone) } }],
    };
  const title = when ? when.rest.trim() : said;
  const isLonger = title.toLowerCase().includes((only.slots.title ?? ' ').toLowerCase()) && title !== only.slots.title;
  if (whole === said || !isLonger || isOddTitle(title)) return undefined;
  const slots = { ...only.slots, title, ...(when && { when: when.text }) };
  return { kind: 'commands', commands: [{ ...told, slots, isQuoted: true }] };
}

/** The new time in words; the part that was not said again is kept. */
function laterWhen(before: string | undefined, when: When, zone: Zone): string {
  const due = mergeDue(before === undefined ? undefined : extractWhen(before, zone)?.due, when, zone);
  return due.length > 10 ? `${due.slice(0, 10)} at ${due.slice(11, 16)}` : due;
}

/** "yeah, add it", "add it please". */
function isYesToAdd(text: string, commands: readonly Command[]): boolean {
  const rest = afterYes(text) ?? stripPoliteness(text);
  return (
    commands.every(({ action }) => action === 'create') &&
    /^(?:please\s+)?(?:add|do|put|note) (?:it|that|this|them|both|all)(?: (?:on|to) (?:my|the) list)?(?: please| pls)?\W*$/i.test(
      rest,
    )
  );
}

/** "no", "never mind", "nope, undo": what was proposed is left. Nothing was done that could be undone. */
function isDismissal(text: string): boolean {
  const action = readFrame(text)?.action;
  return isNo(text) || action === 'dismiss' || action === 'undo';
}

/** A clear command of another kind, a story or a mere sound is no answer. */
function isOtherCommand(
  { kind, command }: Extract<Pending, { kind: 'choose' | 'fill' }>,
  frame: TaskFrame | undefined,
  text: string,
): boolean {
  if (kind === 'fill' && command.action === 'update' && !frame?.sure && isTitleLike(text, command)) return false;
  if (kind === 'fill' && frame && !frame.sure && command.action === 'update')
    return (
      frame.action !== 'update' &&
      !(frame.action === 'create' && startsWithVerb(text) && !/^(?:add|put|note)\b/i.test(text))
    );
  if (kind === 'choose' && frame?.sure && isOwnChange(frame, command)) return true;
  if (!frame?.sure || frame.action === command.action) return false;
  return !(kind === 'fill' && frame.action === 'create' && command.action === 'create');
}

/** "change the title of milk to eggs" is a change of its own, whatever was asked about milk. */
function isOwnChange({ action, slots }: TaskFrame, command: Command): boolean {
  const fields = ['title', 'when', 'description', 'clear', 'is_completed'] as const;
  return (
    action === 'update' && fields.some((field) => slots[field] !== undefined && slots[field] !== command.slots[field])
  );
}

function answerFill(
  { command, missing }: Extract<Pending, { kind: 'fill' }>,
  text: string,
  { frame, zone }: { frame: TaskFrame | undefined; zone: Zone },
): Answer {
  if (missing === 'title') return fillTitle(command, text, frame);
  if (missing === 'ref') return fillReference(command, text, frame);
  if (namesAnother(command, frame)) return { kind: 'other' };
  const shifted = SHIFTED.exec(stripPoliteness(text));
  if (shifted) return fillShift(command, shifted);
  const change = frame?.action === 'update' && frame.missing === undefined ? frame.slots : {};
  const { ref: _, ...slots } = change;
  const title = unquote(stripPoliteness(text).replace(TITLE_LEAD, ''));
  const time = /^["']/.test(title) ? undefined : extractWhen(title, zone);
  const isTime =
    time !== undefined &&
    contentStems(time.rest).every(
      (stem) => contentStems(command.targets?.[0]?.title ?? '').includes(stem) || /^\W*$/.test(time.rest),
    );
  const filled = Object.keys(slots).length > 0 ? slots : isTime ? { when: time.text } : { title };
  // Words that do not look like a title are confirmed by name before they become one.
  const isGuess = 'title' in filled && (!isTitleLike(text, command) || isOddTitle(title) || isOwnVerb(title, command));
  const slotted = { ...command, slots: { ...command.slots, ...filled }, missing: undefined };
  return isGuess
    ? { kind: 'confirm', command: slotted, candidates: command.targets ?? [] }
    : { kind: 'command', command: slotted };
}

/** "change the report to …" in answer to a question about another task. */
function namesAnother({ targets = [] }: Command, frame: TaskFrame | undefined): boolean {
  const ref = frame?.action === 'update' ? (frame.slots.ref ?? '') : '';
  return ref !== '' && !isPronoun(ref) && resolveReference(ref, targets, { ordered: [] }).kind === 'none';
}

/** Words that are surely the new title: quoted, introduced as a name, or with a word of the old one. */
function isTitleLike(text: string, { targets }: Command): boolean {
  if (/^["']/.test(text.trim())) return true;
  const isCommand = /^(?:show|list|rem\w+|what|tell|give|make|change|ple?a?se|add?|put|can|could|i|we)\b/i.test(text);
  if (!isCommand && (TITLE_LEAD.test(stripPoliteness(text)) || targets?.length !== 1)) return true;
  return !isCommand && sharesWord(text, targets ? { targets } : {});
}

/** "moved" for "move house" is a report, not a name. */
function isOwnVerb(title: string, { targets }: Command): boolean {
  const [word = '', another] = contentStems(title);
  return another === undefined && word === contentStems(targets?.[0]?.title ?? '')[0];
}

function sharesWord(text: string, { targets }: Pick<Command, 'targets'>): boolean {
  const stems = contentStems(targets?.[0]?.title ?? '');
  return contentStems(text).some((stem) => stems.includes(stem));
}

/** "by a week", as the answer to what should change. */
function fillShift(command: Command, [, when = '', way = '']: RegExpExecArray): Answer {
  const slots = { ...command.slots, when: when.replace(/^by\s+/i, '') };
  const shift = /earlier|sooner|forward/i.test(way) ? 'earlier' : 'later';
  return { kind: 'command', command: { ...command, slots, shift, missing: undefined } };
}

function fillTitle(command: Command, text: string, frame: TaskFrame | undefined): Answer {
  if (isNothing(text)) return { kind: 'dropped' };
  const title =
    frame?.action === 'create' && frame.slots.title
      ? frame.slots.title
      : unquote(stripPoliteness(text).replace(TITLE_LEAD, ''));
  return {
    kind: 'command',
    command: { ...command, slots: { ...command.slots, title }, missing: undefined, isList: undefined },
  };
}

function fillReference(command: Command, text: string, frame: TaskFrame | undefined): Answer {
  const same = frame?.action === command.action ? frame : undefined;
  const group = readFrame(`${command.action} ${stripPoliteness(text)}`)?.slots;
  if (group?.except !== undefined && command.action !== 'update')
    return { kind: 'command', command: { ...command, slots: { ...command.slots, ...group }, missing: undefined } };
  if (same?.slots.filter) return { kind: 'other' };
  const ref = same?.slots.ref ?? cleanReference(stripPoliteness(text).replace(LEAD_IN, ''));
  if (ref === '') return { kind: 'other' };
  const slots = { ...command.slots, ...same?.slots, ref };
  const isNamed = same === undefined;
  const isOpen =
    command.action === 'update' &&
    slots.title === undefined &&
    slots.when === undefined &&
    slots.description === undefined &&
    slots.clear === undefined &&
    slots.is_completed === undefined;
  return { kind: 'command', command: { ...command, slots, isNamed, missing: isOpen ? 'change' : undefined } };
}
