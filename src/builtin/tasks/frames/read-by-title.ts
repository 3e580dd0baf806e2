import { unquote } from '../../../language/clean-text.ts';
import { extractWhen } from '../../../language/when.ts';
import type { Zone } from '../../../language/zoned-time.ts';
import { pattern, type TaskFrame } from './frame.ts';

/** Words around a task's whole title that say what to do with it. */
const DELETE = pattern(
  String.raw`\b(?:delete|remove|erase|rm|del|kill|strike|scrap|trash|bin|ditch|discard|get rid of|clear out|throw out|take away|(?:do not|don't|no longer|won't) (?:need|want|do)(?: more)?(?: the task)?)\b|\b(?:take|get)\s+\S+\s+(?:off|from)\b`,
);
const COMPLETE =
  /\b(?:done|finished|completed|complete|ready|tick(?:ed)? off|check(?:ed)? off|cross(?:ed)?(?:\s+\S+)? off|did(?: it| that)? already|i did|already did|i managed|down)\b|[✓✔☑✅]/i;
const RENAME =
  /\b(?:rename|retitle|relabel|reword|call|called|named|name|titled|title|text|say|says|read|reads|instead of|replace)\b/i;
const CHANGE = /\b(?:change|make|turn|switch|convert|write|update|edit)\b/i;
const MOVE =
  /\b(?:move|moved|shift|push|put|reschedule|rescheduled|postpone|postponed|delay|change|make|set|goes?|going|moves|must be|has to be|have to be|needs? to be|should be|is now|rather|better|time|hour|date|instead|at|to|for|on|until)\b|->/i;
const ADDING = /\b(?:add|create|new task|note down|remind me|remember)\b/i;
/** A cue behind one of these says the opposite, or nothing about now. */
const VETO =
  /\b(?:not|never|no|isn't|aren't|wasn't|didn't|haven't|hasn't|can't|cannot|couldn't|don't|won't|almost|nearly|half|if|when|once|unless|while|should i|did i|have i|was|except|but|keep|leave)\b/i;
/** Links between a title and its new name. */
const LINK = String.raw`(?:too|to|as|into|in|with|by|:|->|now|say|says|reads?|be|is|must|should|has to|called|named|titled|instead)`;
const NEW_NAME = new RegExp(String.raw`^\s*(?:${LINK}[\s:]+)*(.+)$`, 'is');
const TITLE = /"([^"]*)"/g;
/** Words that say nothing about which task or which time is meant. A word that is not explained stops the reading. */
const FILLER =
  'the a an my our your this that it its them both two task tasks item todo one and also then too as well of with please pls plz kindly just now ' +
  "already finally today yet i i'm i've we we'd you u me us is are was be been am have has had got get can could would will shall let's let go " +
  'ahead hey hi ok okay so oh ah hmm well yes yeah hooray yay phew great good guess what know think rather actually really on off from out list ' +
  'down up over for to at by into pile first next more longer anymore any need want do must should to be new ' +
  'dear would like mind instead -> @ : - these those here are mark set tick check cross';
const FILLERS: ReadonlySet<string> = new Set(FILLER.split(' '));
const TIME_CUES =
  /\b(?:move|moved|shift|push|put|reschedule|rescheduled|postpone|change|make|set|goes|over|back|please|pls|the|a|of|it|is|now|must|has|have|should|be|to|instead|time|hour|date|at|att|on|for|by|until|till|due|around|from|better|i|we|think|we'd|rather|let's|let|us|hmm|ok|pile|list|would|like|could|you|can|do|not later|only|just)\b|->|[\s"',.:!-]/gi;

/** True if nothing but the cue and fillers is left around the titles: no other task, group, field or exception. */
function isExplained(words: string, cue: RegExp): boolean {
  const rest = words.replace(new RegExp(cue.source, 'gi'), ' ');
  return rest.split(/[\s,]+/).every((word) => word === '' || FILLERS.has(word.toLowerCase()));
}

interface Segment {
  /** The words with the quoted titles taken out; `@` marks a title. */
  words: string;
  titles: string[];
}

/**
 * Reads a message by the whole titles of tasks in it, which stand in quotes: the words around them say what to do. Any
 * remark may surround them. Undefined unless exactly one thing to do is said and nothing denies it.
 */
export function readByTitle(quoted: string, zone: Zone): TaskFrame[] | undefined {
  const segments = toSegments(quoted);
  const own = segments.filter(({ titles }) => titles.length > 0);
  const titles = own.flatMap((segment) => segment.titles);
  const words = own.map((segment) => segment.words).join(' , ');
  if (titles.length === 0 || ADDING.test(words) || /\?\s*$/.test(quoted)) return undefined;
  const removed = readRemoval(segments, words);
  if (removed) return isExplained(words, DELETE) ? toFrames('delete', titles) : undefined;
  const denied = VETO.test(words);
  const renamed = denied && !/instead of/i.test(words) ? undefined : readRename(quoted, words, { titles, zone });
  if (renamed) return [renamed];
  const moved = denied ? undefined : readMove(own, zone);
  if (moved !== undefined && !COMPLETE.test(words)) return toFrames('update', titles, moved);
  const isDone =
    COMPLETE.test(words) ||
    segments.some((segment) => /\bmark (?:it|them|both|that)? ?(?:as )?done\b/i.test(segment.words));
  return isDone && !denied && isExplained(words, COMPLETE) ? toFrames('complete', titles) : undefined;
}

function toSegments(quoted: string): Segment[] {
  const held: string[] = [];
  const open = quoted.replace(TITLE, (_, title: string) => `@${held.push(title) - 1}@`);
  return open
    .split(/[;.!?]+(?=\s|$)|,(?=\s)|\s+-\s+|\s+(?:so|because)\s+/)
    .filter((part) => part.trim() !== '')
    .map((part) => ({
      words: part.replace(/@\d+@/g, ' @ ').trim(),
      titles: [...part.matchAll(/@(\d+)@/g)].map(([, index]) => held[Number(index)] ?? ''),
    }));
}

/** "I don't need … anymore, you can remove it": the order may be in the next part. */
function readRemoval(segments: readonly Segment[], words: string): boolean {
  const bare = words.replace(DELETE, ' ');
  if (DELETE.test(words)) return !VETO.test(bare) && !COMPLETE.test(bare);
  const isNext = segments.some(
    (segment) =>
      segment.titles.length === 0 &&
      /\b(?:delete|remove|erase)(?: (?:it|that|them))?\b/i.test(segment.words) &&
      !VETO.test(segment.words),
  );
  return isNext && !VETO.test(words) && !COMPLETE.test(words);
}

function readRename(
  quoted: string,
  words: string,
  { titles, zone }: { titles: string[]; zone: Zone },
): TaskFrame | undefined {
  const [title = '', other] = titles;
  const isNamed = RENAME.test(words);
  if ((!isNamed && !CHANGE.test(words)) || titles.length > 2) return undefined;
  const instead = /\b(?:write|put|say|have)\s+(.+?)\s+instead of\s+"/i.exec(quoted)?.[1];
  const after = quoted.slice(quoted.indexOf(`"${title}"`) + title.length + 2);
  const behind = /^\s*$/.test(after) ? '' : (NEW_NAME.exec(after)?.[1] ?? '');
  const isCalled = /\b(?:call|name|label)\s+(?:the task\s+)?$/i.test(quoted.slice(0, quoted.indexOf(`"${title}"`)));
  const isLinked = isCalled || new RegExp(String.raw`^\s*${LINK}(?![\p{L}])`, 'iu').test(after);
  const name = cleanName(instead ?? other ?? (isLinked ? behind : ''));
  if (name === '' || name === title || isTime(name, zone) || (VETO.test(name) && !isNamed)) return undefined;
  return { action: 'update', sure: true, slots: { ref: title, title: name } };
}

/** A new name without the remark behind it. */
function cleanName(words: string): string {
  const [, inQuotes] = /^\s*"([^"]+)"/.exec(words) ?? [];
  if (inQuotes !== undefined) return inQuotes;
  const [head = ''] = words.split(/\s*[,;!?]\s+|\s+(?:for me|please|pls|instead|thanks?)\b/i);
  return unquote(head);
}

function isTime(words: string, zone: Zone): boolean {
  return readTime(words, zone) !== undefined;
}

/** The time in words that say nothing else; a bare number is an hour. */
function readTime(words: string, zone: Zone): string | undefined {
  const hour = /(?:^|\s|->)(\d{1,2})\s*$/.exec(words)?.[1];
  const clocked = hour !== undefined && Number(hour) <= 24 ? words.replace(/(\d{1,2})\s*$/, 'at $1') : words;
  for (const text of [words, clocked]) {
    const when = extractWhen(text, zone);
    if (when && when.rest.replace('@', '').replace(TIME_CUES, '') === '')
      return when.text === hour ? `at ${hour}` : when.text;
  }
  return undefined;
}

/** The new time, on either side of the title in the same part of the message. */
function readMove(segments: readonly Segment[], zone: Zone): string | undefined {
  for (const { words } of segments) {
    const [before = '', after = ''] = [words.slice(0, words.indexOf('@')), words.slice(words.lastIndexOf('@') + 1)];
    if (!MOVE.test(`${before} ${after}`)) continue;
    const when = readTime(after, zone) ?? readTime(before, zone);
    if (when !== undefined) return when;
  }
  return undefined;
}

function toFrames(action: 'complete' | 'delete' | 'update', titles: string[], when?: string): TaskFrame[] {
  const change = when === undefined ? {} : { when };
  if (action === 'delete' && titles.length > 1)
    return [{ action, sure: true, slots: { ref: titles.map((title) => `"${title}"`).join(' and ') } }];
  return titles.map((ref) => ({ action, sure: true, slots: { ref, ...change } }));
}
