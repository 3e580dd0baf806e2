import { isActionVerb, startsWithVerb } from '../../language/action-verbs.ts';
import { cleanText } from '../../language/clean-text.ts';
import { extractWhen, inMonthOf } from '../../language/when.ts';
import { contentStems, readPositions, stem } from '../../language/words.ts';
import { today, type Zone } from '../../language/zoned-time.ts';
import { cleanReference } from './frames/clean-reference.ts';
import { readQuestion } from './frames/read-question.ts';
import type { KnownTask } from './known-task.ts';
import { isPronoun, resolveReference } from './resolve-reference.ts';
import type { Command } from './task-context.ts';
import type { TaskMemory } from './task-memory.ts';

/** The tasks that a remark may be about, and what the conversation knows of them. */
export interface Noting {
  tasks: readonly KnownTask[];
  memory: TaskMemory;
  zone: Zone;
}

const OPENING =
  /^(?:(?:oh(?: dear)?|ok(?:ay)?|so|and|also|then|yes|yeah|yep|well|actually|wait|but|that is(?= ?,)|i mean(?:t)?|sorry|hm+|now|please|pls|lol|right)(?:[\s,.!:-]+|$))+/i;
const CLOSING =
  /(?:[\s,]+(?:i mean(?:t)?|please|pls|instead|as well|too|also|though|then|now|if possible|lol|rather|thanks?|(?:because|bc|since|cos|cause)\s.+))+[\s.!]*$/i;
const CORRECTING = /^(?:\w+[\s,]+)?(?:that is|i mean(?:t)?|actually|sorry|wait)\b/i;
/** Words that only a new task, a question or an order begins with. */
const OTHER_START =
  /^(?:add|create|insert|new|note|jot|write|todo|to-?do|remind|remember|don'?t|do not|make sure|(?:i|we)(?:'ll| will)? (?:really |still |also |just )*(?:need|have to|must|should|want|got to|shall|think|guess|would)|gotta|need|have to|another|one (?:more|other)|undo|redo|show|list|what|when|which|who|how|why|delete|remove|erase|cancel|rename|forget|keep|leave|bring|get rid|move|push|shift|postpone|reschedule|delay|mark|change|give|let)\b/i;
const MAX_WORDS = 12;
const DENIED =
  /\b(?:not|never|no|isn't|aren't|wasn't|weren't|didn't|haven't|hasn't|can't|cannot|don't|won't|almost|nearly|half|if|unless|except|but|or|maybe|perhaps|between)\b/i;

/** Reads a remark about tasks that the user has: "the rent on Friday", "the attic is cleared". Undefined for anything else. */
export function readNoted(text: string, noting: Noting): Command[] | undefined {
  const clean = cleanText(text);
  const words = clean
    .replace(OPENING, '')
    .replace(CLOSING, '')
    .replace(/[\s.!]+$/, '');
  if (words === '' || OTHER_START.test(words) || /\?\s*$/.test(clean) || readQuestion(clean)) return undefined;
  const isCorrecting = CORRECTING.test(clean);
  return readFinished(words, noting) ?? readSame(words, noting) ?? readMoved(words, { ...noting, isCorrecting });
}

/** True if a message has the form of such a remark, whatever tasks there are. */
export function mayNote(text: string, zone: Zone): boolean {
  const clean = cleanText(text);
  if (readQuestion(clean)) return false;
  const words = clean.replace(OPENING, '').replace(CLOSING, '').split(/\s+/);
  if (words.length > MAX_WORDS) return false;
  return extractWhen(clean, zone) !== undefined || words.some((word) => isPast(word) && isActionVerb(baseOf(word)));
}

/** Words around a task and its new time. */
const FILLERS: ReadonlySet<string> = new Set(
  "the a an my our this that is are was be to for on at by in will should must ought had better now instead only then also and of one task item date due it's its so move put make set push all has have needs goes 's".split(
    ' ',
  ),
);
const CUE =
  /\b(?:the|my|our|to|is|are|should|must|ought|had better|will be|to be|now|move|put|make|set|push|instead)\b/i;
const SAID = /\b(?:is|are|should|must|ought|had better|will|to be|now|move|put|make|set|push|instead)\b/i;
/** Counted from a time that is not said. */
const RELATIVE = /\b(?:later|earlier|sooner|before|after|last|ago|yesterday)\b/i;
const PARTS = /\s*[,;]\s*(?:and\s+|so\s+)*|\s+and\s+/i;

const SAME = /^(.+?),?\s+(?:(?:at|on|for|to)\s+)?(?:the\s+)?same (time|day|date)$/i;

/** "call Ann, same time": when the task is that was changed last. */
function readSame(words: string, { tasks, memory }: Noting): Command[] | undefined {
  const [, named = '', unit = ''] = SAME.exec(words) ?? [];
  const when = whenOfLast(memory, unit);
  const task = named === '' || DENIED.test(named) ? undefined : nameOne(cleanReference(named), tasks);
  return task && when !== undefined
    ? [{ action: 'update', confidence: 0.8, slots: { ref: task.title, when } }]
    : undefined;
}

/** The time of the task that was changed last, in words that are read back as the same time. */
export function whenOfLast({ changes }: TaskMemory, unit: string): string | undefined {
  const due = changes.find(({ task }) => task.due_date !== undefined)?.task.due_date;
  const [, day = '', time] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d))?/.exec(due ?? '') ?? [];
  if (day === '') return undefined;
  return time === undefined || !/time/i.test(unit) ? day : `${day} at ${time}`;
}

interface Moving extends Noting {
  isCorrecting: boolean;
}

function readMoved(words: string, noting: Moving): Command[] | undefined {
  const whole = readDated(words, noting);
  if (whole) return [whole];
  const parts = words.split(PARTS);
  const commands = parts.flatMap((part) => readDated(part, noting) ?? []);
  if (parts.length > 1 && commands.length === parts.length) return commands;
  const [remark = '', last = '', ...more] = parts;
  const told = last !== '' && more.length === 0 && isRemark(remark, noting) ? readDated(last, noting) : undefined;
  return told && SAID.test(last) ? [told] : undefined;
}

/** "the optician rang": a part that has no time and names no task. */
function isRemark(part: string, { tasks, zone }: Noting): boolean {
  const stems = contentStems(part);
  const isNamed = tasks.some(({ title }) => contentStems(title).some((word) => stems.includes(word)));
  return !isNamed && !DENIED.test(part) && !OTHER_START.test(part) && extractWhen(part, zone) === undefined;
}

/** "the rent on Friday": one task, or some of the last ones, and a time. Nothing else may be said. */
function readDated(part: string, noting: Moving): Command | undefined {
  const when = extractWhen(part.replace(/\s*,?\s+not\s+\S+$/i, ''), noting.zone);
  if (!when || when.isRange || DENIED.test(when.rest) || RELATIVE.test(when.text)) return undefined;
  if (when.due.slice(0, 10) < today(noting.zone)) return undefined;
  const told = noting.memory.changes.find(({ task }) => task.due_date !== undefined)?.task.due_date ?? '';
  const time = extractWhen(when.text, noting.zone) ? when.text : `at ${when.text}`;
  const named = when.rest.replace(/'s\b(?!\s+\w)/g, '');
  const rest = named.split(/[\s,]+/).filter((word) => word !== '' && !FILLERS.has(word.toLowerCase()));
  const change = { action: 'update', confidence: 0.8 } as const;
  const some = readSome(named, noting);
  if (some) return { ...change, slots: { ref: named, when: time }, targets: some };
  const ref = cleanReference(rest.join(' '));
  const task = ref === '' || isPronoun(ref) ? undefined : nameOne(ref, noting.tasks);
  if (!task) return undefined;
  // "call Ann on Friday" may be a second call.
  const isClear = startsWithVerb(named)
    ? SAID.test(part) || /\sto$/i.test(named.trim())
    : CUE.test(part) || task.due_date === undefined;
  const isSure = isClear || noting.isCorrecting;
  // A bare "the 21st" is of the month that was spoken of.
  const day =
    task.due_date === undefined && told !== '' && !when.hasTime ? inMonthOf(told.slice(0, 10), when) : undefined;
  return { ...change, slots: { ref: task.title, when: day ?? time }, ...(!isSure && { isGuess: true }) };
}

/** The open task that all the words name; undefined if they name none, several or only a part of one. */
function nameOne(ref: string, tasks: readonly KnownTask[]): KnownTask | undefined {
  const found = resolveReference(
    ref,
    tasks.filter((task) => !task.is_completed),
    { ordered: [] },
  );
  return found.kind === 'one' && (found.how === 'exact' || found.how === 'named') ? found.item : undefined;
}

const SOME =
  /^(?:the\s+)?(first|last|other)\s+(two|three|four|ones?)\s*(?:are|is|should be|must be)?(?:\s+(?:for|on|to))?$/i;
const BOTH =
  /^(?:both(?: of them)?|the two(?: of them)?|all (?:of them|two|three|four))\s*(?:are|should be)?(?:\s+(?:for|on|to))?$/i;

/** "the first two", "the other two", "both", counted in what was just added, changed or shown. */
function readSome(named: string, { memory, tasks }: Noting): KnownTask[] | undefined {
  const text = named.trim();
  const group = memory.group.flatMap(({ id }) => tasks.find((task) => task.id === id) ?? []);
  if (BOTH.test(text)) return group.length > 1 && (group.length === 2 || /^all/i.test(text)) ? group : undefined;
  const [, which = '', count = ''] = SOME.exec(text) ?? [];
  if (which === '') return undefined;
  if (/other/i.test(which)) return readOthers(count, { memory, tasks });
  const counted = memory.isJustChanged && group.length > 2 ? group : memory.isShownFresh ? memory.shown : [];
  return readPositions(`${which} ${count}`, counted.length)?.flatMap((position) => counted[position - 1] ?? []);
}

/** "the other two": the open tasks besides those that were just changed, if there are as many. */
function readOthers(count: string, { memory, tasks }: Omit<Noting, 'zone'>): KnownTask[] | undefined {
  const changed = new Set(memory.changes.map(({ task }) => task.id));
  const others = tasks.filter((task) => !task.is_completed && !changed.has(task.id));
  const wanted = ['one', 'two', 'three', 'four'].indexOf(count.toLowerCase()) + 1;
  return memory.isJustChanged && (wanted === 0 ? others.length > 1 : others.length === wanted) ? others : undefined;
}

const DONE_BEHIND =
  /^(.+?)(?:'s| is| are| was| were| has been| have been| got)?(?:\s+(?:all|now|already|finally|just|been))*\s+([a-z]+)(?:\s+(?:up|out|off|in|down|away|back|over))?(?:\s+(by\s.+))?$/i;
const DONE_BEFORE =
  /^(?:(?:i|we)(?:'ve| have| had)?\s+)?(?:(?:now|just|already|finally|also)\s+)*([a-z]+)(?:\s+(?:up|out|off|in|down|away|back|over))?\s+(.+)$/i;
const MANNER =
  /(?:,?\s+(?:so (?:that's|that is) done|now|already|finally|just now|today|yesterday|last night|this (?:morning|afternoon|evening)|at (?:long )?last|(?:they|it|she|he) (?:are|is|was|were) \w+))+$/i;
/** Words for things that are got, which need no verb in the title. */
const GOT = /^(?:bought|purchased|got|paid|sent|booked|ordered|posted|delivered)$/i;

/** "the attic is cleared", "I locked it": the past of the verb that an open task begins with. */
function readFinished(words: string, noting: Noting): Command[] | undefined {
  const plain = words.replace(MANNER, '');
  if (DENIED.test(plain)) return undefined;
  const behind = DONE_BEHIND.exec(plain);
  const before = DONE_BEFORE.exec(plain);
  return (
    (behind && finish(behind[2], behind[1], { ...noting, isGuess: behind[3] !== undefined })) ??
    (before ? finish(before[1], before[2], { ...noting, isGuess: false }) : undefined)
  );
}

function finish(
  verb = '',
  object = '',
  { tasks, memory, isGuess }: Noting & { isGuess: boolean },
): Command[] | undefined {
  if (!isPast(verb)) return undefined;
  const open = tasks.filter((task) => !task.is_completed);
  const ref = cleanReference(object.replace(/^(?:i|we)(?:'ve| have)?\s+/i, ''));
  const last = open.find(({ id }) => id === memory.last?.id);
  const meant = isPronoun(ref) && last && memory.isLastFresh ? [last] : open.filter((task) => holds(task, ref));
  const same = meant.filter(({ title }) => verbOf(title) === stem(verb.toLowerCase()));
  const verbless = GOT.test(verb) ? meant.filter(({ title }) => verbOf(title) === undefined) : [];
  const found = same.length > 0 ? same : verbless;
  const [task] = found;
  if (!task) return undefined;
  const isWhole = !isPronoun(ref) && contentStems(task.title).length === contentStems(ref).length;
  const isSure = found.length === 1 && !isGuess && (same.length > 0 || isWhole);
  const slots = { ref: found.length === 1 ? task.title : ref };
  return [{ action: 'complete', confidence: 0.8, slots, ...(!isSure && { isGuess: true }) }];
}

/** The verb without its ending, as far as an errand begins with it. */
function baseOf(verb: string): string {
  const root = stem(verb.toLowerCase());
  return isActionVerb(`${root}e`) ? `${root}e` : root;
}

function isPast(verb: string): boolean {
  return stem(verb.toLowerCase()) !== verb.toLowerCase() && !/(?:s|ing)$/i.test(verb);
}

/** The stem of the verb that a title begins with. */
function verbOf(title: string): string | undefined {
  const [first = '', second] = title.toLowerCase().split(/\s+/);
  return second !== undefined && isActionVerb(first) ? stem(first) : undefined;
}

/** True if every word of the reference is in the title. */
function holds({ title }: KnownTask, ref: string): boolean {
  const stems = contentStems(title);
  const wanted = contentStems(ref);
  return ref !== '' && wanted.length > 0 && wanted.every((word) => stems.includes(word));
}
