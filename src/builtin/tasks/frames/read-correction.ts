import { isActionVerb, startsWithVerb } from '../../../language/action-verbs.ts';
import { cleanText, unquote } from '../../../language/clean-text.ts';
import { extractWhen } from '../../../language/when.ts';
import { contentStems, stem } from '../../../language/words.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import { isTaskProhibition } from '../../tools/prohibition.ts';
import type { KnownTask, TaskChange } from '../known-task.ts';
import { resolveReference } from '../resolve-reference.ts';
import { findMentions } from '../talk/mentions.ts';
import { isOddTitle } from '../talk/odd-title.ts';
import { peel, trimTrailers } from '../talk/peel.ts';
import type { Command } from '../task-context.ts';
import type { TaskMemory } from '../task-memory.ts';
import { cleanReference } from './clean-reference.ts';
import { isTimeLike } from './frame.ts';
import { readFrame } from './read-frame.ts';
import { readQuestion } from './read-question.ts';
import { readTaskList } from './split-list.ts';
import { trimTitle } from './trim-title.ts';

const OPENING = String.raw`(?:(?:oh|ah|um+|uh+|hm+|wait|sorry|oops|ok|okay|well|so|and|but|please)[\s,.!-]+)*`;
const CORRECTING = new RegExp(
  String.raw`^${OPENING}(?:(?:(?:no+|nope|nah|actually|rather|better|sorry)(?=[,.!:-])|better(?= (?:at|on|by|tomorrow|next)\b)|(?:hmm+ |oh )?(?:no wait|wait no)\b|(?:hmm+ |oh )?no(?= (?:back|make|i mean|on|at|the \d|next|tomorrow|today|(?:mon|tues?|weds?|wednes|thurs?|thu|fri|sat|satur|sun)(?:day)?\b))|\w+ (?:is|was) too (?:early|late|soon)(?=[,.;])|actually(?= (?:make|on|at|by|next|tomorrow|today|the \d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|it|\d))|or rather|correction|i (?:actually )?meant?(?: to say)?|i mean|make that|make it|let's make it|let's say|it(?:'s| is| should be)|should be|that should be|change that to|change it to|back to)[\s,:.!-]+)+(?:(?:it(?:'s| is| should be)|i meant?|i mean|make (?:it|that)|let's (?:say|make it)|back to|rather|on|at|for|by|to|do)\s+)*(.+?)(?:\s+(?:instead|please|rather|after all|then|i meant?|i mean|was right|is right|is better|was fine|is fine|was better))*[\s.!]*$`,
  'i',
);
const INSTEAD = new RegExp(String.raw`^${OPENING}(.+?),?\s+instead[\s.!]*$`, 'i');
const NOT_OLD_NEW = new RegExp(
  String.raw`^${OPENING}(?:(?:no|actually|i meant?|i mean)[\s,]+)*not\s+(.+?)\s*(?:,|;|-|\bbut\b)\s*(?:but\s+)?(.+?)[\s.!]*$`,
  'i',
);
const NEW_NOT_OLD = new RegExp(
  String.raw`^${OPENING}(?:(?:no|actually|i meant?|i mean|it(?:'s| should be| is)|make (?:it|that))[\s,]+)+(.+?)\s*,?\s+(?:not|instead of|rather than)\s+(.+?)[\s.!]*$`,
  'i',
);
const ADDED =
  /^(?:oh[\s,]+)?(?:(?:and|also|plus|\+|&|then)[\s,:]+)+(?:also\s+)?(?:(?:the|a|an|some|my)\s+)?(.+?)(?:,?\s+(?:too|as well|also|please|pls))*[\s.!]*$/i;
const ADDED_TOO = /^(?:(?:the|a|an|some|my)\s+)?(.+?),?\s+(?:too|as well|also)[\s.!]*$/i;
/** Openings behind which a new title may stand; any other correction is of a time. */
const RENAMING =
  /^(?:(?:oh|ah|um+|uh+|hmm+|wait|oops|ok|okay|well|so|and|but|please)[\s,.!-]+)*(?:(?:no+|nope|nah|sorry|actually|rather|wait no|no wait)[,.:!]|no,? (?:i meant?|make)|or rather|correction|i (?:actually )?meant?|i mean|make (?:it|that)|it should be|should be|change (?:it|that) to)/i;
const MAX_WORDS = 8;

/** Reads words that mend or continue what was just done: "no, Petra", "not flowers, chocolate", "also the eggs". */
export function readCorrection(text: string, memory: TaskMemory, zone: Zone): Command[] | undefined {
  const clean = cleanText(text);
  const [change, another] = memory.changes;
  if (
    !memory.isJustChanged ||
    !change ||
    clean.split(/\s+/).length > 2 * MAX_WORDS ||
    isTaskProhibition(clean) ||
    readQuestion(clean)
  )
    return undefined;
  const isMendable = !another && (change.action === 'create' || change.action === 'update') && !memory.isTakenBack;
  const denied = memory.isTakenBack ? undefined : readDenial(clean, memory);
  if (denied) return [denied];
  const mended = isMendable ? mend(clean, change, zone) : undefined;
  return mended ? [mended] : readMore(clean, memory);
}

const MEANT = /^(?:(?:oh|ah|um+|hmm+|wait|ok|no)[\s,.!-]+)*(.+?),?\s+i (?:actually )?mean(?:t)?\W*$/i;
const SORRY =
  /^(?:(?:oh|ah|um+|hmm+|wait|oops|ok|no|my bad)[\s,.!-]+)*(?:sorry|sory|soz|no wait|wait no|actually|no)[\s,.!:-]+(.+?)[\s.!]*$/i;

/**
 * "sorry, buy dog food" after a new task: another errand in its place, or one more. Undefined for words that are no errand
 * or that share one with the task.
 */
export function readOtherErrand(
  text: string,
  { memory, zone }: { memory: TaskMemory; zone: Zone },
): { task: KnownTask; title: string } | undefined {
  const clean = cleanText(text);
  const [change, another] = memory.changes;
  if (!memory.isJustChanged || memory.isTakenBack || !change || another || change.action !== 'create') return undefined;
  const said = MEANT.exec(clean)?.[1] ?? SORRY.exec(clean)?.[1] ?? CORRECTING.exec(clean)?.[1];
  const title = unquote(said ?? '');
  if (title === '' || !startsWithVerb(title) || title.split(/\s+/).length > MAX_WORDS || isOddTitle(title))
    return undefined;
  const isOrder = readFrame(title)?.sure || isTaskProhibition(clean) || readQuestion(clean) || extractWhen(title, zone);
  return isOrder ? undefined : { task: change.task, title };
}

const NOT_YET =
  /^(?:(?:oops|jk|wait|no+|sorry|actually|hm+|oh|lol|ah|argh|nope)[\s,.!]+)*(?:i|we) (?:haven'?t|didn'?t|have not|did not)(?: (?:actually|really|yet|done (?:it|that)|do (?:it|that)|finished (?:it|that)))*[\s.!]*$/i;
const DENIAL =
  /^(?:(?:oops|jk|wait|no+|sorry|actually|hm+|oh|lol|ah|argh|nope|still [\w\s]{3,40}?)[\s,.!]+)*(?:(?:it's|its|that's|it is|that is|they're)\s+)?not\s+(?:(?:yet\s+)?(?:done|finished|complete|ready)(?:\s+(?:yet|at all|after all))?|(?:the\s+|my\s+)?(.{2,40}?))[\s.!]*$/i;

/** "jk, not done yet", "oops, not the bins": what was just marked as done is open again. */
function readDenial(clean: string, { changes }: TaskMemory): Command | undefined {
  const [, named] = DENIAL.exec(clean) ?? [];
  if ((!DENIAL.test(clean) && !NOT_YET.test(clean)) || !changes.every(({ action }) => action === 'complete'))
    return undefined;
  const tasks = changes.map(({ task }) => task);
  const found = named === undefined ? undefined : resolveReference(cleanReference(named), tasks, { ordered: [] });
  const task = named === undefined && tasks.length === 1 ? tasks[0] : found?.kind === 'one' ? found.item : undefined;
  if (!task || (found && found.kind === 'one' && found.how === 'overlap')) return undefined;
  return { action: 'update', confidence: 0.8, slots: { ref: task.title, is_completed: false }, targets: [task] };
}

/** Words around a time that say no more than the time. */
const TIME_LEAD =
  /^(?:(?:yes|yeah|ok(?:ay)?|oh|hm+|well|and|please|let's say|say|let us|let's|no|leave it(?= (?:at|on|for))|keep it(?= (?:at|on|for))|it's|(?:at )?what time\?)[\s,.!-]+)+(?=\S)/i;
const TIME_TAIL =
  /(?:[\s,]+(?:if (?:possible|you can|that's ok)|please|pls|i think|then|instead|was (?:fine|right)))+[\s.!]*$/i;

/** A new value for the task that was just added or changed. */
function mend(clean: string, { action, task, before }: TaskChange, zone: Zone): Command | undefined {
  const alone = clean.replace(TIME_LEAD, '').replace(TIME_TAIL, '');
  const bare = extractWhen(alone, zone);
  if (bare && bare.rest.replace(/\W/g, '') === '' && !bare.isRange) return update(task, { when: alone });
  // "no, Petra" after a change of something else may mean another task: that is not a new title.
  const isTitleNew = action === 'create' || (before !== undefined && before.title !== task.title);
  const swapped = readSwap(clean);
  const title = swapped && swapWords(task.title, swapped);
  if (title !== undefined) return isTitleNew ? update(task, { title }) : undefined;
  const words = CORRECTING.exec(clean)?.[1] ?? INSTEAD.exec(clean)?.[1] ?? '';
  const value = unquote(words.replace(/^(?:called|named|titled)\s+(?=\S)/i, ''));
  if (value === '' || value.split(/\s+/).length > MAX_WORDS) return undefined;
  const hour = readHour(value, clean, task);
  const when = extractWhen(hour ?? value, zone);
  if (when && when.rest.replace(/\W/g, '') === '') return update(task, { when: hour ?? value });
  const isOtherErrand =
    startsWithVerb(value) && !contentStems(value).some((stem) => contentStems(task.title).includes(stem));
  if (BARE_HOUR.test(value) || NO_TITLE.test(value) || when || isOtherErrand) return undefined;
  if (
    !isTitleNew ||
    !RENAMING.test(clean) ||
    /\b(?:add|note|write) (?:it|that|this)\W*$/i.test(value) ||
    readFrame(value)?.sure ||
    /^(?:keep|leave|don'?t|forget|no|never|it|that|wrong|yes|done|all|everything|(?:i|you|he|she|we|they|there|this|my)\b(?:'\w+)?)\b/i.test(
      value,
    )
  )
    return undefined;
  return value.toLowerCase() === task.title.toLowerCase() || isOddTitle(value) || /^(?:before|after|say)\b/i.test(value)
    ? undefined
    : update(task, { title: mendTitle(task.title, value) });
}

/** A sentence or a comparison is no new name. */
const NO_TITLE =
  /^\d+(?:[:.]\d\d)?\s*(?:[ap]m\b|$)|^(?:and|also|plus|then|one more|another)\b|[.;!?]\s|,\s*not\b|\b(?:at|is|are|was|were|isn't|better|instead|done|later|earlier|until|till|repeat(?:s|ing|ed)?|recur(?:s|ring)?|every|each)\b|\d\s*$/i;
const BARE_HOUR =
  /^(?:at |by )?(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: in the (?:morning|afternoon|evening))?$/i;

/** "no, at 9", "make that nine": an hour, if it is said as one or the task has one already. */
function readHour(value: string, clean: string, { due_date = '' }: KnownTask): string | undefined {
  if (!BARE_HOUR.test(value)) return undefined;
  const bare = value.replace(/^(?:at|by)\s+/i, '');
  return due_date.length > 10 || /\b(?:at|by)\s/i.test(clean.slice(0, clean.lastIndexOf(bare)))
    ? `at ${bare}`
    : undefined;
}

const update = (task: KnownTask, slots: Command['slots']): Command => ({
  action: 'update',
  confidence: 0.8,
  slots: { ref: task.title, ...slots },
  targets: [task],
});

function readSwap(clean: string): { from: string; to: string } | undefined {
  const backward = NEW_NOT_OLD.exec(clean);
  if (backward) return { from: strip(backward[2]), to: strip(backward[1]) };
  const forward = NOT_OLD_NEW.exec(clean);
  return forward ? { from: strip(forward[1]), to: strip(forward[2]) } : undefined;
}

const strip = (words = '') => unquote(words).replace(/^(?:the|a|an|my|some)\s+/i, '');

/** The title with one part replaced; undefined if it does not hold that part. */
function swapWords(title: string, { from, to }: { from: string; to: string }): string | undefined {
  const at = title.toLowerCase().indexOf(from.toLowerCase());
  if (from === '' || to === '' || at < 0) return undefined;
  return startsWithVerb(to) && at > 0 ? to : `${title.slice(0, at)}${to}${title.slice(at + from.length)}`;
}

/** A whole errand replaces the title; a word or two replace the name or the thing in it. */
function mendTitle(title: string, value: string): string {
  const words = title.split(/\s+/);
  const counted = mendNumber(words, value);
  if (counted !== undefined) return counted;
  const isWhole =
    startsWithVerb(value) || words.length === 1 || sharesWord(title, value) || !isActionVerb(words[0] ?? '');
  if (isWhole) return value;
  const isName = (word: string) => /^\p{Lu}/u.test(word);
  const at = isName(value) ? words.findIndex((word, index) => index > 0 && isName(word)) : -1;
  if (at > 0) return [...words.slice(0, at), value, ...words.slice(at + value.split(/\s+/).length)].join(' ');
  return [words[0], value].join(' ');
}

const NUMBER = /^(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty)$/i;

/** "300 bags" for "order 200 more paper bags": only the number changes. */
function mendNumber(words: readonly string[], value: string): string | undefined {
  const [number = '', ...things] = value.split(/\s+/);
  const at = words.findIndex((word) => NUMBER.test(word));
  const isSame =
    things.length > 0 && things.every((thing) => words.slice(at).some((word) => stem(word) === stem(thing)));
  return NUMBER.test(number) && at >= 0 && isSame ? words.with(at, number).join(' ') : undefined;
}

function sharesWord(title: string, value: string): boolean {
  const stems = contentStems(title);
  return value.includes(' ') && contentStems(value).some((stem) => stems.includes(stem));
}

function isOwnCommand(words: string): boolean {
  const frame = readFrame(words);
  return frame !== undefined && (frame.sure || frame.action !== 'create');
}

/** "also the dry cleaning": the last act again, for another thing. */
function readMore(clean: string, { changes: [change], known }: TaskMemory): Command[] | undefined {
  const more = ADDED.exec(clean)?.[1] ?? ADDED_TOO.exec(clean)?.[1];
  const words = change?.action === 'create' ? more && trimTitle(more.replace(/^(?:add|put|note)\s+(?=\S)/i, '')) : more;
  if (
    words === undefined ||
    change === undefined ||
    /\?\s*$/.test(clean) ||
    words.split(/\s+/).length > MAX_WORDS ||
    isOwnCommand(words) ||
    readTaskList(clean).length > 0
  )
    return undefined;
  if (change.action === 'create') {
    // "and the visa by Friday" may be about a task that is there.
    if (isTimeLike(words) && findMentions(words, known).kind !== 'none') return undefined;
    const listed = readTaskList(`add ${words}`);
    const titles = (listed.length > 0 ? listed : [words]).map((title) => trimTrailers(peel(title).core));
    return titles.map((title) => ({ action: 'create', confidence: 0.8, slots: { title: unquote(title) } }));
  }
  const ref = cleanReference(words);
  if (ref === '' || change.action === 'update') return undefined;
  return [{ action: change.action, confidence: 0.8, slots: { ref } }];
}
