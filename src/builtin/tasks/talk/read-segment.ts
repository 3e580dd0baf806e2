import { isActionVerb, startsWithVerb } from '../../../language/action-verbs.ts';
import { extractWhen, type When } from '../../../language/when.ts';
import { contentStems, stem } from '../../../language/words.ts';
import { today, type Zone } from '../../../language/zoned-time.ts';
import type { Slots } from '../frames/frame.ts';
import { readReverse } from '../frames/frame-reverse.ts';
import type { KnownTask } from '../known-task.ts';
import { DURATION } from '../plan/shift-due.ts';
import type { Command } from '../task-context.ts';
import type { Act } from './act.ts';
import { isDenied, isDoneSaid, isDropOrder, isDropSaid, isMarkOrder, isUndoneSaid, saysPast } from './cues.ts';
import { findMentions, type Mentions, topicWords } from './mentions.ts';
import { type Asking, dropOpeners, peel } from './peel.ts';
import { readErrand } from './read-errand.ts';

export interface Scene {
  tasks: readonly KnownTask[];
  zone: Zone;
  /** The task that was spoken of last, and whether in this message or the turn before. */
  topic?: { task: KnownTask; isNear: boolean } | undefined;
  /** A list of new tasks was announced before. */
  isAnnounced?: boolean;
}

const POINTS = /\b(?:it|its|it's|that|this|them|these|those|he|she|they|him|her)\b/i;
const OWN = /\b(?:i|i've|we|we've|got)\b/i;
/** Words that count tasks instead of naming one. */
const COUNTS =
  /\b(?:first|second|third|fourth|fifth|last|other|others|both|all|everything|each|every|ones|two|three|four|rest|number|nothing|anything|\d+)\b/i;
const GREETING =
  /^(?:(?:good|lovely|nice|happy)\s+)?(?:morning|afternoon|evening|day|night|hi|hello|hey|hiya|today)(?:\s+(?:all|dear|again|there|everyone|mate|everybody|love|sir|madam))?$/i;
const SHIFT = new RegExp(String.raw`(${DURATION})`, 'i');
const RELATIVE =
  /\b(?:later|earlier|sooner|forward|back by|wait|longer|push(?:ed)? (?:it|that)? ?back|delay(?:ed)?)\b/i;
const NEGATIVE = /\b(?:not|isn't|aren't|doesn't|can't|won't|never|closed|don't|wasn't|no longer)\b/i;
/** Orders that may be about the name instead of the time. */
const RENAMES = /^(?:rename|retitle|call|name|label|replace|change|edit|update|swap)\b/i;
/** Unexplained words up to which a remark is surely about the task. */
const MAX_OTHERS = 3;

/** Reads one part of a message with the user's tasks in view. */
export function readSegment(text: string, scene: Scene): Act {
  if (GREETING.test(text.trim())) return { kind: 'remark' };
  const plain = dropOpeners(text);
  const reverse = readReverse(plain);
  if (reverse) return { kind: 'reverse', frame: reverse };
  const { core, asking: asked } = peel(withoutOldTime(text, scene.zone));
  const asking = scene.isAnnounced ? 'add' : asked;
  const when = extractWhen(core, scene.zone);
  const rest = when?.rest ?? core;
  const mentions = findMentions(rest, scene.tasks);
  if (when && isTimeOnly(rest, mentions)) return { kind: 'time', when, isForAll: /\b(?:both|all|each)\b/i.test(rest) };
  const read = { scene, mentions, when, asking, rest };
  return (
    readChange(plain, read) ?? readErrand(core, { asking, when, zone: scene.zone, mentions }) ?? { kind: 'remark' }
  );
}

/** "on Monday, not Friday", "10 instead of 9": the old time is no part of it. */
function withoutOldTime(text: string, zone: Zone): string {
  const [all = '', head = '', old = ''] =
    /^(.+?)[\s,]+(?:not|instead of|rather than)\s+(\S+(?: \S+)?)$/i.exec(text) ?? [];
  return all !== '' && (extractWhen(old, zone) || /^\d{1,2}$/.test(old)) ? head : text;
}

function isTimeOnly(rest: string, mentions: Mentions): boolean {
  return mentions.kind === 'none' && topicWords(rest).length === 0 && !isDenied(rest) && !startsWithVerb(rest);
}

interface Read {
  scene: Scene;
  mentions: Mentions;
  when: When | undefined;
  asking: Asking;
  rest: string;
}

interface Deed {
  action: 'complete' | 'delete' | 'update';
  slots: Slots;
  isOrder: boolean;
  isGuess?: boolean;
  shift?: Command['shift'];
}

function readChange(plain: string, read: Read): Act | undefined {
  const { mentions } = read;
  if (mentions.kind === 'many') return readWhich(plain, mentions.tasks, read);
  const target = targetOf(plain, read);
  const [task] = target?.tasks ?? [];
  const deed = task && deedOf(plain, task, read);
  if (!target || !task || !deed) return undefined;
  const { action, slots, isOrder, shift } = deed;
  // A day that is moved by mistake is moved back with one word.
  const isLight = action === 'update' && slots.when !== undefined && target.isUnique === true;
  const isGuess =
    !(target.isClear || isLight) || deed.isGuess === true || (action === 'delete' && target.tasks.length > 1);
  const command: Command = {
    action,
    confidence: 0.75,
    slots: { ref: task.title, ...slots },
    ...(shift && { shift }),
    ...(isGuess && { isGuess: true }),
    ...((!isGuess || target.tasks.length > 1) && { targets: target.tasks }),
  };
  return { kind: 'change', command, tasks: target.tasks, isOrder, isPointing: mentions.kind === 'none' };
}

/** Several tasks are named alike: the user says which one. */
function readWhich(plain: string, tasks: KnownTask[], read: Read): Act | undefined {
  const [first] = tasks;
  const deed = first && read.asking === 'none' ? deedOf(plain, first, read) : undefined;
  return deed && { kind: 'which', action: deed.action, tasks, slots: deed.slots };
}

/** The tasks that a part is about: those it names, or the one spoken of last where it names nothing. */
interface Target {
  tasks: KnownTask[];
  isClear: boolean;
  /** All the words are in the title, and in no other one. */
  isUnique?: boolean;
}

function targetOf(plain: string, { mentions, scene, rest }: Read): Target | undefined {
  if (mentions.kind === 'one') {
    const { task, isHead, isWhole, others } = mentions;
    // "I finished reply to Ann" does not mean "call Ann".
    const isOther = others.some((word) => isActionVerb(word)) && !isWhole;
    return {
      tasks: [task],
      isClear: (isHead || isWhole) && others.length <= MAX_OTHERS && !isOther,
      isUnique: others.length === 0,
    };
  }
  if (mentions.kind === 'several' && /\bor\b/i.test(plain)) return undefined;
  if (mentions.kind === 'several') {
    const isClear = mentions.mentions.every(({ isHead, isWhole }) => isHead || isWhole) && mentions.others.length === 0;
    return { tasks: mentions.mentions.map(({ task }) => task), isClear };
  }
  if (mentions.kind === 'many' || !scene.topic || COUNTS.test(rest)) return undefined;
  const isPointing = POINTS.test(plain);
  if (!isPointing && mentions.others.length > 0) return undefined;
  const { task, isNear } = scene.topic;
  return { tasks: [task], isClear: isNear && mentions.others.length <= (isPointing ? MAX_OTHERS : 0) };
}

function deedOf(plain: string, task: KnownTask, { when, asking, scene, mentions }: Read): Deed | undefined {
  if (scene.isAnnounced) return undefined;
  if (isMarkOrder(plain)) return { action: 'complete', slots: {}, isOrder: true, isGuess: namesOther(plain, task) };
  if (isDropOrder(plain) && isDoneSaid(plain)) return undefined;
  if (isDropOrder(plain))
    return {
      action: 'delete',
      slots: {},
      isOrder: true,
      isGuess: when !== undefined || namesOther(plain, task) || saysMore(mentions),
    };
  if (asking === 'add' && !/\bone\b/i.test(plain)) return undefined;
  if (isUndoneSaid(plain) && task.is_completed)
    return { action: 'update', slots: { is_completed: false }, isOrder: /^(?:re-?open|un)/i.test(plain) };
  if (saysDone(plain, task, mentions.kind !== 'none')) {
    // "the neighbour swept the yard" may be about another yard.
    const isTold = !isDoneSaid(plain) && mentions.kind === 'one' && mentions.others.length > 1 && !OWN.test(plain);
    return task.is_completed
      ? undefined
      : { action: 'complete', slots: {}, isOrder: false, isGuess: isTold || when !== undefined };
  }
  if (isDropSaid(plain)) {
    const isPlain = /\bneed\b|\bcancell?ed\b/i.test(plain) && !/\b(?:maybe|if|might|perhaps)\b/i.test(plain);
    return { action: 'delete', slots: {}, isOrder: false, isGuess: !isPlain };
  }
  if (asking !== 'none' && (mentions.kind === 'none' || startsWithBase(peel(plain).core))) return undefined;
  return readTime(plain, { when, scene, mentions });
}

/** Words besides a title may name another thing: nothing is deleted at once for them. */
function saysMore(mentions: Mentions): boolean {
  return mentions.kind === 'one' && mentions.others.length > 0;
}

/** "delete call Ann" does not mean "text Ann". */
function namesOther(plain: string, { title }: KnownTask): boolean {
  const verb = /^(?:\S+(?: (?:rid of|about|out|off))?)\s+(\p{L}+)\b/iu.exec(plain)?.[1] ?? '';
  const isVerb = isActionVerb(verb) || isDropOrder(verb);
  return isVerb && !contentStems(title).includes(stem(verb.toLowerCase()));
}

function saysDone(plain: string, { title }: KnownTask, isNamed: boolean): boolean {
  if (startsWithBase(plain)) return false;
  return isDoneSaid(plain) || (saysPast(plain, title, isNamed) && !isDenied(plain));
}

/** True if the words begin like an order or an errand: a verb in its base form and what it is done to. */
function startsWithBase(plain: string): boolean {
  return (
    startsWithVerb(plain) &&
    !/^["“']/.test(plain) &&
    !/^(?:got|read|put|set|cut|let|shut|hit|split|move|push|make|change|done|leave|shift|bring|do (?:it|that|this))\b/i.test(
      plain,
    )
  );
}

function readTime(
  plain: string,
  { when, scene, mentions }: Pick<Read, 'when' | 'scene' | 'mentions'>,
): Deed | undefined {
  const shifted = RELATIVE.test(plain) ? SHIFT.exec(plain) : null;
  if (shifted) {
    const shift = /earlier|sooner|forward/i.test(plain) ? 'earlier' : 'later';
    return { action: 'update', slots: { when: String(shifted[1]) }, isOrder: false, shift };
  }
  if (!when || when.isRange || when.due.slice(0, 10) < today(scene.zone) || NEGATIVE.test(plain)) return undefined;
  if (RENAMES.test(plain) && !plain.replace(/[\s.!]+$/, '').endsWith(when.text)) return undefined;
  // "call Ann on Friday" may be a second call, unless it is just the title.
  const isErrand = startsWithBase(plain);
  const isTitle = mentions.kind === 'one' && mentions.isWhole && mentions.others.length === 0;
  const isPart = mentions.kind === 'one' && mentions.others.length === 0 && !namesOther(`x ${plain}`, mentions.task);
  if (isErrand && !isTitle && !isPart) return undefined;
  return { action: 'update', slots: { when: when.text }, isOrder: false, isGuess: isErrand };
}
