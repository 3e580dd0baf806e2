import { isTimeLike, pattern } from './frame.ts';
import { readChore } from './frame-create.ts';

const ASKING = String.raw`(?:(?:hey|hi|ok|okay|please|pls|can you|could you|would you|i want to|i need to),?\s+)*`;
const COUNT = String.raw`(?:(?:the|these|those|following|some|a few|several|new|more|my|two|three|four|five|\d+)\s+)*`;
const HEAD = pattern(
  String.raw`^${ASKING}(?:(?:add|create|make|new|save|note down)\s+)?${COUNT}(?:tasks|to-?dos|to dos|reminders)(?:\s+(?:for me|(?:to|on) my list))?\s*:\s*(.+)$`,
);
const COMMAND = pattern(
  String.raw`^${ASKING}(?:add|create|new (?:task|to-?do|reminder)|(?:task|to-?do)\s*:|remind me|remember to|don'?t forget|delete|remove|mark|complete|check off|tick off|rename|change|update|move|reschedule|postpone|show|list|undo|i (?:need|have) to|what|put)\b`,
);
const BULLET = /^\s*(?:[-*•–]|\d{1,2}[.)]|\[[ x]?\])\s+/;
/** A comma between digits belongs to a number. */
const COMMA = /\s*,(?!\d)\s*(?:and\s+)?|(?<!\d),\s*(?:and\s+)?/;

/** The titles that follow "add tasks:"; nothing when no list of several was announced. */
export function readTaskList(text: string): string[] {
  const listed = HEAD.exec(text.trim())?.[1];
  if (listed === undefined) return [];
  const lines = toLines(listed);
  const items = lines.length > 1 ? lines : splitLine(lines[0] ?? '');
  return items.length > 1 ? items : [];
}

/** The lines of a message where each is a command of its own; otherwise the whole message. */
export function splitLines(text: string): string[] {
  const lines = toLines(text);
  return lines.length > 1 && lines.every((line) => COMMAND.test(line)) ? lines : [text];
}

function toLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(BULLET, '').trim())
    .filter((line) => line !== '');
}

/** At semicolons, otherwise at commas; "and" divides only where a new chore begins behind the last one. */
function splitLine(line: string): string[] {
  const quoted: string[] = [];
  const held = line.replace(
    /"[^"]*"|“[^”]*”|(?<=^|[\s,;])'[^']*'(?=$|\W)/g,
    (text) => `\u0000${quoted.push(text) - 1}\u0000`,
  );
  const items = held.includes(';') ? held.split(/\s*;\s*(?:and\s+)?/) : joinTimes(held.split(COMMA));
  const last = items.pop() ?? '';
  return [...items, ...splitAnd(last)]
    .map((item) => item.replace(/\u0000(\d+)\u0000/g, (_, index: string) => quoted[Number(index)] ?? '').trim())
    .filter((item) => item !== '');
}

function splitAnd(item: string): string[] {
  const match = /^(.+?)\s+and\s+(.+)$/i.exec(item);
  const [, first = '', second = ''] = match ?? [];
  return readChore(first) && readChore(second) ? [first, second] : [item];
}

/** "pay rent on Friday, November 20" is one title with its day. */
function joinTimes(items: readonly string[]): string[] {
  const joined: string[] = [];
  for (const item of items) {
    const isTime = isTimeLike(item) && !readChore(item) && item.split(/\s+/).length <= 3;
    if (isTime && joined.length > 0) joined.push(`${joined.pop()}, ${item}`);
    else joined.push(item);
  }
  return joined;
}
