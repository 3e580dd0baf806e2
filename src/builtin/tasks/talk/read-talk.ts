import { startsWithVerb } from '../../../language/action-verbs.ts';
import { cleanText } from '../../../language/clean-text.ts';
import { extractWhen } from '../../../language/when.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import { quoteTitles } from '../frames/quote-titles.ts';
import { readQuestion } from '../frames/read-question.ts';
import type { KnownTask } from '../known-task.ts';
import type { Command } from '../task-context.ts';
import type { TaskMemory } from '../task-memory.ts';
import type { Act } from './act.ts';
import { isDoneSaid, isDropOrder } from './cues.ts';
import { findMentions, topicWords } from './mentions.ts';
import { peel } from './peel.ts';
import { readSegment } from './read-segment.ts';
import { readSwap } from './read-swap.ts';
import { type Segment, splitSegments } from './segments.ts';

export interface Talking {
  tasks: readonly KnownTask[];
  memory: TaskMemory;
  zone: Zone;
  /** The chance that words are about something else than tasks. */
  offTopic(words: string): number;
}

/** The chance of another topic up to which an errand is added that nothing announces. */
const MAX_OFF_TOPIC = 0.5;
/** The same for a user who has added tasks already. */
const MAX_OFF_TOPIC_LATER = 0.85;
/** "add these", "two things for tomorrow", "todo": a list follows. */
const HEADER =
  /^(?:(?:ok|okay|so|right|please|also|and|hi|hello|hey|well|now)[\s,!]+)*(?:(?:can|could|would) you )?(?:please )?(?:(?:i|we) (?:want|need|have|must)(?: to)? )?(?:(?:add|create|make|new|put|note|jot|write|log|todo|to-?do|remind me)\b(?: \S+){0,6}|(?:\S+ ){0,3}(?:tasks?|to-?dos?|to do|things|items|jobs|errands|chores|list|stuff)(?: \S+){0,4})$/i;
const MAX_NOUN_WORDS = 4;
const REMARKABLE =
  /\b(?:god|omg|lol|haha|thanks|please|sorry|morning|evening|hello|hi|hey|busy|stuff|things|crazy|help|busy|week|day|list|for|soon|done)\b|[!?]/i;
const REASON = /^\s*(?:because|cos|bc|cause|since)\s/i;

const CORRECTING = /^(?:no|nah|nope|sorry|wait|i mean|i meant|actually|or rather|make that)\b.*\S/i;
const REMARK: Act = { kind: 'remark' };

/** "could you book it": work for this program, not for the list. */
function isRequest(text: string): boolean {
  return /^(?:\W*\w+[,.!]\s+)*(?:please\s+)?(?:can|could|would|will|might) (?:you|u)\b/i.test(text);
}

/**
 * Reads a whole message part by part: greetings and remarks are passed over, errands are added, and what is said of
 * the user's own tasks is done to them. Undefined if no part asks for anything.
 */
export function readTalk(text: string, talking: Talking): Command[] | undefined {
  const clean = text.split('\n').map(cleanText).join('\n');
  if (readQuestion(clean) || (/\?\s*$/.test(clean) && !isRequest(clean))) return undefined;
  const swap = readSwap(clean, talking);
  if (swap) return [swap];
  const titles = talking.tasks.filter(({ title }) => /\s/.test(title)).map(({ title }) => title);
  const segments = joinParts(splitSegments(quoteTitles(clean, titles)), talking);
  const acts = readActs(segments, talking).map((act) =>
    isRequest(clean) && act.kind === 'create' && act.asking === 'none' ? REMARK : act,
  );
  const isPlain = segments.every(
    ({ text: part }, index) => acts[index]?.kind !== 'remark' || topicWords(part).length === 0,
  );
  const commands = settle(
    withNouns(
      acts.map((act) => (isPlain ? act : doubt(act))),
      segments,
    ),
    talking,
    isPlain,
  );
  // "… sorry, for six": a correction that was not understood must not be lost.
  const isCorrected = segments.some(({ text: part }, index) => acts[index]?.kind === 'remark' && CORRECTING.test(part));
  if (isCorrected && commands.some(({ action }) => action === 'create')) return undefined;
  return commands.length > 0 ? commands : undefined;
}

/** "boxes: Saturday", "flat 4 - plumber on Monday": a heading and what it is about. */
const HEAD_LINK = /^\s*(?:[-–—]+|:)\s*$/;
const SOFT = /^\s*(?:,\s*(?:and)?|&|\+|and)\s*$/i;
/** "call Ann and ask about the rent", "get the keys and bring them": one errand in two steps. */
const SAME_ERRAND =
  /^(?:ask|tell|see|say|let|find out|make sure|check (?:if|whether|that)|give|bring|thank|try)\b|\b(?:it|him|her|them|there)\W*$/i;
/** Orders about tasks that are there; what they name may be several. */
const ON_TASKS =
  /^(?:mark|tick|cross|check|delete|remove|erase|scrap|bin|kill|ditch|drop|cancel|lose|get rid of|move|push|shift|postpone|reschedule|delay|bump|complete|done|finished|set|change)\b/i;
const STATEMENT =
  /^(?:i|we|you|he|she|they|it|that|there|this|nobody|everyone|please|no|not)\b.*\s\S|^(?:my|our|his|her|their|the|\p{L}+)\b.*\s(?:is|are|was|were|has|have|had|will|can|can't|did|does|doesn't|said|says|wants|needs|got|went|called|rang|came)\b/iu;

/** Joins parts that cannot stand alone: "call Ann" and "Bob"; "the swap, on the 3rd"; "milk and eggs are done". */
function joinParts(segments: readonly Segment[], { zone, tasks }: Talking): Segment[] {
  const joined: Segment[] = [];
  for (const segment of segments) {
    const before = joined.at(-1);
    const isHeld = before && HEAD_LINK.test(segment.link) && isNounOnly(before.text, zone) && isNoErrand(segment.text);
    if (
      before &&
      (isHeld ||
        (SOFT.test(segment.link) && isOneThought(before.text, segment.text, { zone, link: segment.link, tasks })))
    )
      before.text += `${segment.link}${segment.text}`;
    else joined.push({ ...segment });
  }
  return joined;
}

interface Between {
  zone: Zone;
  link: string;
  tasks: readonly KnownTask[];
}

function isOneThought(before: string, after: string, { zone, link, tasks }: Between): boolean {
  const [first, second] = [peel(before), peel(after)];
  const time = extractWhen(second.core, zone);
  // "…, on the 3rd" belongs to what it follows, "…, both for Monday" to all that came before.
  if (time && topicWords(time.rest).length === 0 && !/\b(?:both|all|each|no|not|actually|make)\b/i.test(after))
    return topicWords(before).length > 0 && !extractWhen(first.core, zone)?.hasTime;
  if (isNounOnly(before, zone))
    return second.asking === 'none' && (!startsWithVerb(second.core) || findMentions(after, tasks).kind === 'one');
  if (ON_TASKS.test(first.core) && !ON_TASKS.test(second.core) && second.asking === 'none')
    return (
      /^["“]/.test(second.core) ||
      (!startsWithVerb(second.core) &&
        !STATEMENT.test(after) &&
        (/and/i.test(link) || findMentions(after, tasks).kind !== 'none'))
    );
  if (second.asking !== 'none') return false;
  if (startsWithVerb(second.core))
    return (
      /and/i.test(link) && SAME_ERRAND.test(second.core) && !isDropOrder(second.core) && startsWithVerb(first.core)
    );
  const isAlone =
    time !== undefined ||
    /^["“']/.test(second.core) ||
    isDoneSaid(after) ||
    STATEMENT.test(after) ||
    topicWords(after).length === 0;
  return (
    !isAlone && (first.asking !== 'none' || startsWithVerb(first.core) || isDoneSaid(before) || /^got\b/i.test(before))
  );
}

function isNoErrand(text: string): boolean {
  const { core, asking } = peel(text);
  return asking === 'none' && !startsWithVerb(core) && !STATEMENT.test(text);
}

/** A few words without a verb, a time or a sign of what to do: "my room". */
function isNounOnly(text: string, zone: Zone): boolean {
  const { core, asking } = peel(text);
  if (asking !== 'none' || startsWithVerb(core) || topicWords(core).length === 0) return false;
  return !STATEMENT.test(text) && !isDoneSaid(text) && !isDropOrder(core) && extractWhen(core, zone) === undefined;
}

function readActs(segments: readonly Segment[], { tasks, memory, zone }: Talking): Act[] {
  const last = tasks.find(({ id }) => id === memory.last?.id);
  let topic = last && { task: last, isNear: memory.isLastFresh || memory.isJustChanged };
  let isAnnounced = false;
  let isAfterErrand = false;
  return segments.map(({ text, link }, index) => {
    if (HEADER.test(text) && /[:\n]/.test(segments[index + 1]?.link ?? '')) {
      isAnnounced = true;
      const day = extractWhen(text, zone);
      return day ? { kind: 'time', when: day, isForAll: true } : REMARK;
    }
    const due =
      isAfterErrand && /^(?:it|it's|that|that's|they|this|the deadline|deadline|due|which)\b/i.test(text)
        ? extractWhen(text, zone)
        : undefined;
    const act: Act = due
      ? { kind: 'time', when: due, isForAll: false }
      : REASON.test(link)
        ? REMARK
        : readSegment(text, { tasks, zone, topic, isAnnounced });
    isAfterErrand = act.kind === 'create';
    const mentioned = findMentions(text, tasks);
    const named = act.kind === 'change' ? act.tasks[0] : mentioned.kind === 'one' ? mentioned.task : undefined;
    if (named) topic = { task: named, isNear: true };
    return act;
  });
}

/** "formula I have, tick it": words that were not understood may name what a pronoun means. */
function doubt(act: Act): Act {
  if (act.kind !== 'change' || !act.isPointing || act.command.slots.when !== undefined) return act;
  const { targets: _, ...command } = act.command;
  return { ...act, command: { ...command, isGuess: true } };
}

/** "Fix the gate. Paint the shed. Tip run.": among errands, a few words are an errand too. */
function withNouns(acts: readonly Act[], segments: readonly Segment[]): Act[] {
  const errands = acts.filter((act) => act.kind === 'create');
  if (errands.length < 2 || acts.some((act) => act.kind === 'change' || act.kind === 'reverse')) return [...acts];
  return acts.map((act, index) => {
    const { core, asking } = peel(segments[index]?.text ?? '');
    const isLater = acts.slice(0, index).some(({ kind }) => kind === 'create');
    const isNoun = isLater && act.kind === 'remark' && asking === 'none' && core.split(/\s+/).length <= MAX_NOUN_WORDS;
    return isNoun && topicWords(core).length > 0 && !REMARKABLE.test(core) && !STATEMENT.test(core)
      ? { kind: 'create', title: core, asking: 'none' }
      : act;
  });
}

/** The commands that the parts add up to. */
function settle(acts: readonly Act[], talking: Talking, isPlain: boolean): Command[] {
  const [reverse] = acts.filter((act) => act.kind === 'reverse');
  const creates = toCreates(acts, talking);
  const changes = toChanges(acts, { talking, hasCreates: creates.length > 0, isPlain });
  if (!reverse) return [...changes, ...creates];
  const { action, slots, isMild, isRedo } = reverse.frame;
  const isAlone = creates.length === 0 && changes.every(({ isGuess }) => isGuess);
  return isAlone ? [{ action, confidence: 0.8, slots, isMild, isRedo }] : [];
}

type Found<K extends Act['kind']> = { act: Extract<Act, { kind: K }>; at: number };

function pick<K extends Act['kind']>(acts: readonly Act[], kind: K): Found<K>[] {
  return acts.flatMap((act, at) => (act.kind === kind ? [{ act: act as Extract<Act, { kind: K }>, at }] : []));
}

function toCreates(acts: readonly Act[], { offTopic, zone, tasks }: Talking): Command[] {
  const found = pick(acts, 'create');
  const times = pick(acts, 'time');
  const isPlain = found.every(({ act }) => act.asking === 'none' && act.when === undefined);
  return found.flatMap(({ act, at }): Command[] => {
    const next = found.find((other) => other.at > at)?.at ?? acts.length;
    const mine = times.filter((time) => time.at > at && time.at < next).map((time) => time.act.when);
    const shared = times.find((time) => time.act.isForAll || time.at < (found[0]?.at ?? 0))?.act.when;
    const own = mine.findLast(({ hasDay }) => hasDay) ?? mine.at(-1) ?? shared;
    const isTimeOfDay = own !== undefined && !own.hasDay && act.when !== undefined;
    const day = isTimeOfDay ? extractWhen(act.when ?? '', zone) : undefined;
    const when =
      isTimeOfDay && day && !day.hasTime
        ? `${act.when} at ${own.text}`
        : mine.some(({ hasDay }) => hasDay)
          ? own?.text
          : (act.when ?? own?.text);
    if (
      isPlain &&
      when === undefined &&
      found.length === 1 &&
      offTopic(act.title) > (tasks.length > 0 ? MAX_OFF_TOPIC_LATER : MAX_OFF_TOPIC)
    )
      return [];
    const slots = { title: act.title, ...(when !== undefined && { when }) };
    return [{ action: 'create', confidence: 0.75, slots, ...(act.isQuoted && { isQuoted: true }) }];
  });
}

function toChanges(
  acts: readonly Act[],
  { talking, hasCreates, isPlain }: { talking: Talking; hasCreates: boolean; isPlain: boolean },
): Command[] {
  const changes = pick(acts, 'change').map(({ act }) => act);
  const hasOrder = changes.some(({ isOrder }) => isOrder);
  const meant = changes.filter((change, index) => {
    if (hasOrder && !change.isOrder) return false;
    const others = changes.filter((_, at) => at !== index);
    const same = others.filter(({ tasks }) => tasks[0]?.id === change.tasks[0]?.id);
    const isDone = (one: typeof change) => one.command.action !== 'update' || one.command.slots.is_completed === false;
    return !same.some(
      (other) =>
        (isDone(other) && !isDone(change)) || (isDone(other) === isDone(change) && changes.indexOf(other) > index),
    );
  });
  if (meant.length > 0) return meant.map(({ command }) => command);
  const [which] = pick(acts, 'which');
  if (which)
    return [{ action: which.act.action, confidence: 0.7, slots: which.act.slots, candidates: which.act.tasks }];
  return hasCreates ? [] : moveLast(acts, talking, isPlain);
}

/** A time alone is the new time of the task that was spoken of last. */
function moveLast(acts: readonly Act[], { memory, tasks }: Talking, isPlain: boolean): Command[] {
  const last = tasks.find(({ id }) => id === memory.last?.id);
  const time = pick(acts, 'time').at(-1)?.act;
  const group = memory.group.flatMap(({ id }) => tasks.find((task) => task.id === id && !task.is_completed) ?? []);
  if (time?.isForAll && group.length > 1 && memory.isJustChanged && !time.when.isRange)
    return [{ action: 'update', confidence: 0.7, slots: { ref: 'them', when: time.when.text }, targets: group }];
  if (time?.isForAll) return [];
  if (!time || !last || last.is_completed || time.when.isRange || !(memory.isLastFresh || memory.isJustChanged))
    return [];
  const slots = { ref: last.title, when: time.when.text };
  const isSure = memory.isJustChanged && isPlain;
  return [{ action: 'update', confidence: 0.7, slots, ...(isSure ? { targets: [last] } : { isGuess: true }) }];
}
