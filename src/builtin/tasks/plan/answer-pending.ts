import { cleanText, unquote } from '../../../language/clean-text.ts';
import { DURATION } from '../../../language/durations.ts';
import { withoutCourtesy } from '../../../language/filler-words.ts';
import { extractWhen, mergeDue, type When } from '../../../language/when.ts';
import { contentStems, readPosition } from '../../../language/words.ts';
import { afterYes, isNo, isPlainYes, isYes } from '../../../language/yes-no.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import type { Command, Pending } from '../command.ts';
import type { TaskContext } from '../context.ts';
import { readTarget } from '../group.ts';
import type { KnownTask } from '../known-task.ts';
import { isQuestion } from '../plain/mood.ts';
import { readPlain } from '../plain/read-plain.ts';
import { isNewTask, isOtherChange, isOwnRequest } from '../read/read-message.ts';
import { isOnlyNamed, isPlural, isPronoun, resolve } from '../resolve.ts';
import { type Answer, answerChoose, bareAnswer } from './answer-choice.ts';
import { describeCommands } from './offers.ts';

const SHIFTED = new RegExp(
  String.raw`^(?=by\b|.*\b(?:later|earlier|sooner|forward)\W*$)(?:by\s+)?(${DURATION})(?:\s+(later|earlier|sooner|forward))?\W*$`,
  'i',
);
const TITLE_LEAD =
  /^(?:(?:to|that i (?:need|have) to|called|named|titled|it's called|the title is|title:?|make it|change it to|rename it to|call it|let's call it|add|just|put|set it to|something like)\s+)+/i;
/** Answers to "what should I add?" that name nothing. */
const NOTHING =
  /^(?:i (?:don'?t|do not) know|i forgot|i(?:'ve| have) forgotten|not sure|no idea|wait|hang on|hold on(?: a (?:sec|second|moment|minute))?|one (?:sec|second|moment|minute)|(?:hmm+|um+|er+m?)[\s,.]*(?:let me think)?|let me think|never ?mind|nothing|nothing really|forget it)[\s.!?…]*$/i;
const SOUND = /^(?:h+m+|u+h+m*|um+|er+|well|what|huh|oh)\W*$/i;

/** `isSeeded`: the question stands only in a caller's text; several tasks then need plain words. */
export function answerPending(pending: Pending, context: TaskContext, isSeeded: boolean): Answer {
  const { zone, reading } = context;
  const text = cleanText(context.text);
  if (isQuestion(text)) return { kind: 'other' };
  if (pending.kind === 'offer') return mendOffer(pending.choices, text, zone) ?? answerOffer(pending.choices, text);
  const plain = readPlain(context.text, zone);
  const [said, more] = plain?.kind === 'commands' ? plain.commands : [];
  if (pending.kind === 'confirm') return answerConfirm(pending, { text, said, zone, isSeeded });
  if (isDismissal(text, said)) return { kind: 'dropped' };
  if (SOUND.test(text)) return { kind: 'other' };
  const { command } = pending;
  if (pending.kind !== 'fill') {
    const same = said?.action === command.action && !more ? said : undefined;
    const isOwn = said && !same && !(said.action === 'create' || said.action === 'list');
    if (isOwn || isNewTask(reading, pending.candidates) || isOtherChange(reading, command)) return { kind: 'other' };
    return answerChoose(command, pending.candidates, { text, same, zone });
  }
  if (pending.missing === 'title') return fillTitle(command, text, { said, more, isOwn: isOwnRequest(reading) });
  const isOther = said && said.action !== command.action && said.evidence === 'plain' && said.missing === undefined;
  if (isOther && !(said.action === 'create' && pending.missing === 'change')) return { kind: 'other' };
  if (pending.missing === 'ref') return fillReference(command, text, { said, zone, isNew: isNewTask(reading, []) });
  return fillChange(command, text, { said, zone });
}

interface Said {
  /** The message as a plain command, where it is one. */
  said?: Command | undefined;
  zone: Zone;
}

/** "no", "never mind", "nope, undo": what was proposed is left. Nothing was done that could be undone. */
function isDismissal(text: string, said: Command | undefined): boolean {
  return isNo(text) || said?.action === 'dismiss' || said?.action === 'undo';
}

/** Only a plain yes settles it; "yes, let me check" is asked about once more. */
function answerConfirm(
  { command, candidates }: { command: Command; candidates: KnownTask[] },
  { text, said, zone, isSeeded }: Said & { text: string; isSeeded: boolean },
): Answer {
  const taken: Answer = {
    kind: 'commands',
    commands: [{ ...command, targets: candidates, evidence: 'agreed' }],
  };
  const again: Answer = { kind: 'confirm', command, candidates };
  const rest = afterYes(text);
  const plain = rest === undefined || rest === '' ? undefined : readPlain(rest, zone);
  const repeated = plain?.kind === 'commands' ? plain.commands[0] : said;
  if (isSeeded && candidates.length > 1)
    return repeated && isSame(repeated, command, candidates) ? taken : isYes(text) ? again : { kind: 'other' };
  const isForMore = candidates.length < 2 && /\b(?:both|all|them)\b/i.test(text);
  if (isPlainYes(text)) return isForMore ? again : taken;
  if (isDismissal(text, said)) return { kind: 'dropped' };
  if (rest === undefined) return { kind: 'other' };
  if (repeated ? isSame(repeated, command, candidates) : candidates.every((task) => isOnlyNamed(rest, task)))
    return taken;
  // "yes, delete it" to another question may mean either.
  return repeated && !isPronoun(repeated.slots.ref ?? '') && repeated.action !== 'complete' ? { kind: 'other' } : again;
}

/** The order itself, once more: "yes, delete them all". */
function isSame(repeated: Command, command: Command, candidates: readonly KnownTask[]): boolean {
  const { ref, filter } = repeated.slots;
  if (repeated.action !== command.action || repeated.slots.except !== command.slots.except) return false;
  if (filter !== undefined) return filter === (command.slots.filter ?? 'all');
  if (ref === undefined) return false;
  if (isPronoun(ref) || isPlural(ref)) return isPlural(ref) === candidates.length > 1;
  const found = resolve(ref, candidates);
  return found.kind === 'found' && found.tasks.length === candidates.length;
}

/** A yes takes the only reading; of several, one is chosen by its letter, its place or its words. */
function answerOffer(choices: readonly Command[][], text: string): Answer {
  const [only, another] = choices;
  const take = (commands: readonly Command[]): Answer => {
    return { kind: 'commands', commands: commands.map((command) => ({ ...command, evidence: 'agreed' })) };
  };
  // A plain yes takes the likeliest of several titles: a task that is added can be undone.
  const areNew = choices.flat().every(({ action }) => action === 'create');
  if (only && (areNew || !another) && (isYes(text) || (areNew && isYesToAdd(text)))) return take(only);
  const letter = /^\(?([abc])[).]?$/i.exec(text.trim())?.[1]?.toLowerCase();
  const position = letter === undefined ? readPosition(text) : letter.charCodeAt(0) - 'a'.charCodeAt(0) + 1;
  const placed = another && position !== undefined && position > 0 ? choices[position - 1] : undefined;
  const chosen = placed ?? choices.find((commands) => cleanText(describeCommands(commands)) === text);
  if (chosen) return take(chosen);
  return isNo(text) ? { kind: 'dropped' } : { kind: 'other' };
}

/** "yeah, add it", "add it please". */
function isYesToAdd(text: string): boolean {
  const rest = afterYes(text) ?? withoutCourtesy(text).words;
  return /^(?:add|do|put|note) (?:it|that|this|them|both|all)(?: (?:on|to) (?:my|the) list)?\W*$/i.test(rest);
}

const MENDED =
  /^(?:(?:yes|yeah|yep|no|nope|sorry|actually|oh|wait|hmm+|ok(?:ay)?)[\s,.!]+)*(?:(?:but|just)\s+)?(?:make (?:it|that)|it should be|change (?:it|that) to|i mean|i meant|rather|for|on|at|by)?\s*(.+?)(?:\s+(?:please|instead|then|sorry))*[\s.!]*$/i;

/** "no sorry, at eleven": the task that is offered, with another time. */
function mendOffer(choices: readonly Command[][], text: string, zone: Zone): Answer | undefined {
  const [only] = choices[0] ?? [];
  if (!only || choices[0]?.length !== 1 || choices.flat().some(({ action }) => action !== 'create')) return undefined;
  const when = extractWhen(MENDED.exec(text)?.[1] ?? '', zone);
  if (!when || when.isRange || when.rest.replace(/\W/g, '') !== '') return undefined;
  const slots = { ...only.slots, when: laterWhen(only.slots.when, when, zone) };
  return { kind: 'commands', commands: [{ ...only, evidence: 'agreed', slots }] };
}

/** The new time in words; the part that was not said again is kept. */
function laterWhen(before: string | undefined, when: When, zone: Zone): string {
  const due = mergeDue(before === undefined ? undefined : extractWhen(before, zone)?.due, when, zone);
  return due.length > 10 ? `${due.slice(0, 10)} at ${due.slice(11, 16)}` : due;
}

function fillTitle(
  command: Command,
  text: string,
  { said, more, isOwn }: { said: Command | undefined; more: Command | undefined; isOwn: boolean },
): Answer {
  if (NOTHING.test(text)) return { kind: 'dropped' };
  if (more || (said && said.action !== 'create') || isOwn) return { kind: 'other' };
  const title = said?.slots.title ?? unquote(withoutCourtesy(text).words.replace(TITLE_LEAD, ''));
  if (title === '') return { kind: 'other' };
  const slots = { ...command.slots, ...said?.slots, title };
  return {
    kind: 'commands',
    commands: [{ ...command, slots, missing: undefined, isList: undefined, evidence: 'agreed' }],
  };
}

/** The task is named in answer to "which task?"; how it is found decides as for any plain order. */
function fillReference(command: Command, text: string, { said, zone, isNew }: Said & { isNew: boolean }): Answer {
  const same = said?.action === command.action ? said.slots : undefined;
  if (!same && isNew && (said?.action === 'create' || /^(?:add|remind|i need)\b/i.test(text))) return { kind: 'other' };
  const target = same ?? readTarget(bareAnswer(text), zone);
  if (target.ref === undefined && target.except === undefined) return { kind: 'other' };
  const isAll = command.action === 'complete' && target.filter === 'all';
  const slots = { ...command.slots, ...target, ...(isAll && { filter: 'pending' as const }) };
  const fields = ['title', 'when', 'description', 'clear', 'is_completed'] as const;
  const isOpen = command.action === 'update' && fields.every((field) => slots[field] === undefined);
  const missing = isOpen ? ('change' as const) : undefined;
  return { kind: 'commands', commands: [{ ...command, slots, missing, evidence: 'plain' }] };
}

/** The change is said in answer to "what should I change it to?": a time, a length of time, or a name. */
function fillChange(command: Command, text: string, { said, zone }: Said): Answer {
  const take = (changed: Partial<Command>): Answer => {
    return { kind: 'commands', commands: [{ ...command, missing: undefined, evidence: 'agreed', ...changed }] };
  };
  const [task] = command.targets ?? [];
  const isOther = said?.action === 'update' && said.missing === undefined && !isAbout(said.slots.ref, task);
  if (isOther) return { kind: 'other' };
  const [, length, way = ''] = SHIFTED.exec(withoutCourtesy(text).words) ?? [];
  if (length !== undefined)
    return take({
      slots: { ...command.slots, when: length },
      shift: /earlier|sooner|forward/i.test(way) ? 'earlier' : 'later',
    });
  if (said?.action === 'update' && said.missing === undefined) {
    const { ref: _, ...slots } = said.slots;
    return take({ slots: { ...command.slots, ...slots }, shift: said.shift });
  }
  const bare = withoutCourtesy(text).words.replace(TITLE_LEAD, '');
  const title = unquote(bare);
  const time = /^["']/.test(bare) ? undefined : extractWhen(title, zone);
  const stems = contentStems(task?.title ?? '');
  if (time && (/^\W*$/.test(time.rest) || contentStems(time.rest).every((word) => stems.includes(word))))
    return take({ slots: { ...command.slots, when: time.text } });
  const slots = { ...command.slots, title };
  return isTitle(text, title, stems)
    ? take({ slots })
    : { kind: 'confirm', command: { ...command, slots, missing: undefined }, candidates: command.targets ?? [] };
}

function isAbout(ref: string | undefined, task: KnownTask | undefined): boolean {
  return ref === undefined || isPronoun(ref) || (task !== undefined && resolve(ref, [task]).kind !== 'none');
}

/** Words that are surely the new title: quoted, announced as a name, or with more than the verb of the old one. */
function isTitle(text: string, title: string, old: readonly string[]): boolean {
  if (/^["']/.test(text.trim())) return true;
  if (
    /^(?:show|list|rem\w+|what|tell|give|make|ple?a?se|can|could|i|we|it|that|this|he|she|they)\b|[.;!?]\s+\S/i.test(
      text,
    )
  )
    return false;
  const words = contentStems(title);
  if (words.length === 1 && words[0] === old[0]) return false;
  return TITLE_LEAD.test(text) || words.some((word) => old.includes(word));
}
