import { cleanReference } from './clean-reference.ts';
import { cleanText, stripPoliteness, unquote } from './clean-text.ts';
import type { Frame } from './frame.ts';
import { splitExcept } from './frame-group.ts';
import { readFrame } from './read-frame.ts';
import { resolveReference } from './resolve-reference.ts';
import { DURATION } from './shift-due.ts';
import type { Command, Pending } from './task-desk.ts';
import type { KnownTask } from './task-memory.ts';
import { extractWhen } from './when.ts';
import { isNo, isYes, NO } from './yes-no.ts';
import type { Zone } from './zoned-time.ts';

/** What a message does to an open question. */
export type Answer =
  | { kind: 'command'; command: Command }
  | { kind: 'choose' | 'confirm'; command: Command; candidates: KnownTask[] }
  | { kind: 'dropped' }
  /** It is no answer: read it as any other message. */
  | { kind: 'other' };

const BOTH = /^(?:both|the two|both of them)[\s.!]*$/i;
const ALL =
  /^(?:all(?: of (?:them|those|these))?|every one|each of them|all (?:two|three|four|five)(?: of them)?)[\s.!]*$/i;
const AGE = /^(?:the\s+)?(?:(newest|newer|latest|most recent)|oldest|older|earliest)(?: (?:one|task))?[\s.!]*$/i;
const EVERY = /^(?:all|everything|every one|each|all of (?:them|those|these))$/i;
const LEAD_IN =
  /^(?:(?:i (?:meant?|mean|want|would like|choose|pick)|the one (?:about|with|for|called|named)|it's|its|it is|that's|probably|maybe|let's (?:do|go with)|go with|with|called|named|about|number)\s+)+/i;
const SHIFTED = new RegExp(
  String.raw`^(?=by\b|.*\b(?:later|earlier|sooner|forward)\W*$)((?:by\s+)?${DURATION})(?:\s+(later|earlier|sooner|forward))?\W*$`,
  'i',
);
const TITLE_LEAD =
  /^(?:(?:to|that i (?:need|have) to|it's|its|it is|called|named|titled|it's called|the title is|title:?|make it|change it to|rename it to|call it|let's call it|add|just|put|set it to|something like)\s+)+/i;

export function answerPending(pending: Pending, text: string, zone: Zone): Answer {
  const clean = cleanText(text);
  const frame = readFrame(clean);
  if (pending.kind === 'confirm' || pending.kind === 'offer') return answerConfirm(pending, clean);
  if (isNo(clean)) return { kind: 'dropped' };
  if (isOtherCommand(pending, frame)) return { kind: 'other' };
  return pending.kind === 'choose' ? answerChoose(pending, clean, { frame, zone }) : answerFill(pending, clean, frame);
}

function answerConfirm(pending: Extract<Pending, { kind: 'confirm' | 'offer' }>, text: string): Answer {
  if (isYes(text)) {
    const targets = pending.kind === 'confirm' ? { targets: pending.candidates } : {};
    return { kind: 'command', command: { ...pending.command, ...targets } };
  }
  return isNo(text) ? { kind: 'dropped' } : { kind: 'other' };
}

/** A clear command of another kind is no answer. */
function isOtherCommand({ kind, command }: Pending, frame: Frame | undefined): boolean {
  if (!frame?.sure || frame.action === command.action) return false;
  return !(kind === 'fill' && frame.action === 'create' && command.action === 'create');
}

function answerChoose(
  { command, candidates }: Extract<Pending, { kind: 'choose' }>,
  text: string,
  { frame, zone }: { frame: Frame | undefined; zone: Zone },
): Answer {
  const split = splitExcept(text);
  if (split) return takeOthers(command, candidates, split);
  if (ALL.test(text) || (candidates.length === 2 && BOTH.test(text))) return takeAll(command, candidates);
  const words = frame?.action === command.action && frame.slots.ref ? frame.slots.ref : text.replace(NO, '');
  const ref = cleanReference(stripPoliteness(words).replace(LEAD_IN, '')) || words;
  const found = resolveReference(ref, candidates, { ordered: candidates });
  if (found.kind === 'one') return { kind: 'command', command: { ...command, targets: [found.item] } };
  if (found.kind === 'many') return { kind: 'choose', command, candidates: found.items };
  const told = chooseByAgeOrDay(text, candidates, zone);
  return told ? { kind: 'command', command: { ...command, targets: [told] } } : { kind: 'other' };
}

/** "the oldest", "the one due tomorrow"; candidates come newest first. */
function chooseByAgeOrDay(text: string, candidates: readonly KnownTask[], zone: Zone): KnownTask | undefined {
  const age = AGE.exec(text);
  if (age) return candidates.at(age[1] === undefined ? -1 : 0);
  const when = extractWhen(text, zone);
  const due = candidates.filter(({ due_date = '' }) => when && due_date.slice(0, 10) === when.from);
  return due.length === 1 ? due[0] : undefined;
}

/** "all but the first": what is left is confirmed by name. */
function takeOthers(
  command: Command,
  candidates: KnownTask[],
  { rest, except }: { rest: string; except: string },
): Answer {
  const found = resolveReference(cleanReference(except) || except, candidates, { ordered: candidates });
  if (!EVERY.test(rest) || found.kind === 'none' || command.action === 'update') return { kind: 'other' };
  const left = candidates.filter((task) => (found.kind === 'one' ? task !== found.item : !found.items.includes(task)));
  return left.length === 0 ? { kind: 'dropped' } : { kind: 'confirm', command, candidates: left };
}

/** Several at once may be completed on that word; deleting them is confirmed with all their names. */
function takeAll(command: Command, candidates: KnownTask[]): Answer {
  if (command.action === 'complete') return { kind: 'command', command: { ...command, targets: candidates } };
  return command.action === 'delete'
    ? { kind: 'confirm', command, candidates }
    : { kind: 'choose', command, candidates };
}

function answerFill(
  { command, missing }: Extract<Pending, { kind: 'fill' }>,
  text: string,
  frame: Frame | undefined,
): Answer {
  if (missing === 'title') return fillTitle(command, text, frame);
  if (missing === 'ref') return fillReference(command, text, frame);
  const shifted = SHIFTED.exec(stripPoliteness(text));
  if (shifted) return fillShift(command, shifted);
  const change = frame?.action === 'update' && frame.missing === undefined ? frame.slots : {};
  const { ref: _, ...slots } = change;
  const title = unquote(stripPoliteness(text).replace(TITLE_LEAD, ''));
  const filled = Object.keys(slots).length > 0 ? slots : { title };
  return { kind: 'command', command: { ...command, slots: { ...command.slots, ...filled }, missing: undefined } };
}

/** "by a week", as the answer to what should change. */
function fillShift(command: Command, [, when = '', way = '']: RegExpExecArray): Answer {
  const slots = { ...command.slots, when: when.replace(/^by\s+/i, '') };
  const shift = /earlier|sooner|forward/i.test(way) ? 'earlier' : 'later';
  return { kind: 'command', command: { ...command, slots, shift, missing: undefined } };
}

function fillTitle(command: Command, text: string, frame: Frame | undefined): Answer {
  const title =
    frame?.action === 'create' && frame.slots.title
      ? frame.slots.title
      : unquote(stripPoliteness(text).replace(TITLE_LEAD, ''));
  return {
    kind: 'command',
    command: { ...command, slots: { ...command.slots, title }, missing: undefined, isList: undefined },
  };
}

function fillReference(command: Command, text: string, frame: Frame | undefined): Answer {
  const same = frame?.action === command.action ? frame : undefined;
  const group = readFrame(`${command.action} ${stripPoliteness(text)}`)?.slots;
  if (group?.except !== undefined && command.action !== 'update')
    return { kind: 'command', command: { ...command, slots: { ...command.slots, ...group }, missing: undefined } };
  if (same?.slots.filter) return { kind: 'other' };
  const ref = same?.slots.ref ?? cleanReference(stripPoliteness(text).replace(LEAD_IN, ''));
  if (ref === '') return { kind: 'other' };
  const slots = { ...command.slots, ...same?.slots, ref };
  const isOpen =
    command.action === 'update' &&
    slots.title === undefined &&
    slots.when === undefined &&
    slots.description === undefined &&
    slots.clear === undefined &&
    slots.is_completed === undefined;
  return { kind: 'command', command: { ...command, slots, missing: isOpen ? 'change' : undefined } };
}
