import { startsWithVerb } from '../../../language/action-verbs.ts';
import { stripPoliteness } from '../../../language/clean-text.ts';
import { isTimeLike, MY_LIST, pattern } from './frame.ts';
import { readChore } from './frame-create.ts';
import { readAsOne } from './trim-title.ts';

const ASKING = String.raw`(?:(?:hey|hi|ok|okay|so|please|pls|can you|could you|would you|i want to|i need to|also|and|quick),?\s+)*`;
const COUNT = String.raw`(?:(?:the|these|those|following|some|a few|several|new|more|last|other|my|two|three|four|five|\d+)\s+)*`;
/** "add these tasks:", "todos:", "add:", "a task for each of:": what follows is a list. */
const HEAD = pattern(
  String.raw`^${ASKING}(?:(?:add|create|make|new|save|note down|put)\s+)?${COUNT}(?:(?:tasks|to-?dos|to dos|reminders|things|items|ones|stuff)(?:\s+(?:for me|(?:to|on|in) (?:my|the) list|((?:for|by|on|due) [^:,]{3,25})))?(?:,[^:]{3,30})?|(?:a|one) (?:task|to-?do|reminder) (?:for )?each(?: of)?(?: (?:these|them|the following))?|the following(?: \w+)?(?: for me)?(?: (?:to|on|in) (?:my|the) list)?)\s*:\s*(.+)$`,
);
/** "add tasks "a", "b"": a list of quoted titles. */
const QUOTED_ITEMS = pattern(
  String.raw`^(?:(?:add|create|new|put|note)\s+)?${COUNT}(?:tasks|to-?dos|items|things)?\s*:?\s*((?:"[^"]+"(?:\s*[,;]\s*(?:and\s+)?|\s+and,?\s+(?:also |then |separately,? )?)?){2,})\W*$`,
);
/** "wrap-up list: a; b". */
const LIST_HEAD = pattern(String.raw`^(?!add|put|new|show|open)(?:(?:my|the|a)\s+)?(?:[\w-]+\s+){0,3}list\s*:\s*(.+)$`);
const PLAIN_HEAD = pattern(
  String.raw`^${ASKING}(?:add|put|new|todo|to-do|note(?: down)?|write(?: down)?|jot down|also|and)(?:\s+(?:these|those|all of these|the following|this))?(?:\s+(?:on|to|in)\s+${MY_LIST})?\s*:\s*(.+)$`,
);
/** "add milk, eggs and bread to my list": a list that nothing announces. */
const PLAIN = pattern(
  String.raw`^${ASKING}(?:add|put|jot down|note down|todo|new)\s+(?!an? |the task|task|to-?do|new )(.+?)(?:,?\s+(?:to|on|onto)\s+${MY_LIST})?[\s.!]*$`,
);
const COMMAND = pattern(
  String.raw`^${ASKING}(?:add|create|new (?:task|to-?do|reminder)|(?:task|to-?do)\s*:|remind me|remember to|don'?t forget|delete|remove|mark|complete|check off|tick off|rename|change|update|move|reschedule|postpone|show|list|undo|i (?:need|have) to|what|put)\b`,
);
const BULLET = /^\s*(?:[-*•–]|\d{1,2}[.)]|\[[ x]?\])\s+/;
/** A comma between digits belongs to a number. */
const COMMA =
  /\s*,?\s+(?:oh,?\s+)?and,?\s+(?:then|also|while you're at it,?|why not,?|(?:i|we) (?:also )?(?:need to|must|have to))\s+|\s*,(?!\d)\s*(?:oh,?\s+)?(?:(?:and|also|plus|then)\s+)*|(?<!\d),\s*(?:(?:and|also)\s+)?|\s+\+\s+/i;
const MAX_NOUN_WORDS = 3;

/** The titles of a message that adds several tasks; nothing when it adds one. */
export function readTaskList(message: string): string[] {
  if (readAsOne(message) !== undefined) return [];
  const text = dotNumbers(message.trim());
  const titles = readTitles(text);
  return titles.length > 0 ? titles : readTitles(stripPoliteness(text));
}

/** Lines that begin with 1, 2, 3 … are numbered, also without a dot. */
function dotNumbers(text: string): string {
  const numbers = [...text.matchAll(/^\s*(\d{1,2})\s+(?=\p{L})/gmu)].map(([, number]) => Number(number));
  const isCounted = numbers.length > 1 && numbers.every((number, index) => number === index + 1);
  return isCounted ? text.replace(/^(\s*\d{1,2})(?=\s+\p{L})/gmu, '$1.') : text;
}

function readTitles(text: string): string[] {
  const [, day = '', announced] = HEAD.exec(text) ?? [];
  if (announced !== undefined)
    return readItems(announced).map((item) => (isTimeLike(item) ? item : `${item} ${day}`.trim()));
  const quoted = QUOTED_ITEMS.exec(text)?.[1];
  if (quoted !== undefined) return quoted.match(/"[^"]+"/g) ?? [];
  const listed = readItems(LIST_HEAD.exec(text)?.[1] ?? '');
  if (listed.length > 1 && isOneKind(listed)) return listed;
  const bullets = toLines(text);
  if (
    bullets.length > 1 &&
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .every((line) => BULLET.test(line))
  )
    return bullets.some((line) => COMMAND.test(line)) ? [] : bullets;
  const headed = PLAIN_HEAD.exec(text.trim())?.[1];
  if (headed !== undefined && (headed.includes('\n') || /\b(?:these|those|following)\s*:/i.test(text)))
    return readItems(headed);
  const [, listedPlain, shared = ''] =
    /^(.+?)(\s+(?:for|by|on)\s+(?:the\s+)?(?:today|tonight|tomorrow|(?:this |next )?\w+day|weekend|\d{1,2}(?:st|nd|rd|th)).*)?$/is.exec(
      headed ?? PLAIN.exec(text.trim())?.[1] ?? '',
    ) ?? [];
  const plain = listedPlain;
  const items =
    plain === undefined
      ? []
      : readItems(plain.replace(/(?:,?\s+(?:add|note) both|\s+(?:too|as well|after all|please|pls))+\W*$/i, ''));
  if (!isOneKind(items)) return [];
  const areNouns = items.every((item) => !startsWithVerb(item) && !isTimeLike(item));
  return items.map((item, index) => (areNouns || index === items.length - 1 ? `${item}${shared}` : item));
}

function readItems(listed: string): string[] {
  const lines = toLines(listed.replace(/(?<=^|\s)\d{1,2}[.)]\s+(?=\S)/g, '\n'));
  const items = lines.length > 1 ? lines : splitLine(lines[0] ?? '');
  return items.length > 1 ? items : [];
}

/** "buy eggs, milk and flour" is one errand; "milk, eggs and flour" are three things, "call Ann, pay rent" two errands. */
function isOneKind(items: readonly string[]): boolean {
  if (items.some((item) => COMMAND.test(item))) return false;
  const isNoun = (item: string) => !startsWithVerb(item) && item.split(/\s+/).length <= MAX_NOUN_WORDS;
  // A verb that is not known may begin one errand among several: "call Ann, pay rent, chill water".
  const [odd, ...more] = items.slice(1).filter((item) => !startsWithVerb(item));
  const isOddErrand = odd !== undefined && more.length === 0 && odd.includes(' ') && startsWithVerb(items[0] ?? '');
  return (
    (items.length > 2 && isOddErrand) ||
    items.every((item) => startsWithVerb(item) || /^["']/.test(item)) ||
    items.every((item) => isNoun(item) || /^["']/.test(item))
  );
}

const ITEM_LEAD =
  /^(?:(?:oh|and|also|then|plus|yes|ok|to|(?:i|we)(?:'ve| have)? (?:also |really |still )*(?:need|have|must|should|got)(?: to)?)[\s,.]+)+/i;
/** "call Ann and ask about the rent", "get the keys and bring them": one errand in two steps. */
const SAME_ERRAND =
  /^(?:ask|tell|see|say|let|find out|make sure|check (?:if|whether|that)|remind|give|bring|thank|try|then)\b|\b(?:it|him|her|them|there)\W*$/i;

/** The errands that a title joins: "clean the oven and call Ann". Nothing when it is one errand. */
export function splitErrands(title: string): string[] {
  if (/["“]|^'/.test(title)) return [];
  const items = splitLine(title.replace(/\band\.\.\.\s*/i, 'and ')).map((item) =>
    item.replace(ITEM_LEAD, '').replace(/(?:\s+(?:too|as well|please))+$/i, ''),
  );
  const areErrands = items.every((item, index) => startsWithVerb(item) && !(index > 0 && SAME_ERRAND.test(item)));
  return items.length > 1 && areErrands ? items : [];
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

/** At semicolons, otherwise at commas; "and" divides only where a new thing of the same kind begins behind the last one. */
function splitLine(line: string): string[] {
  const quoted: string[] = [];
  const held = line.replace(
    /"[^"]*"|“[^”]*”|(?<=^|[\s,;])'[^']*'(?=$|\W)/g,
    (text) => `\u0000${quoted.push(text) - 1}\u0000`,
  );
  const items = held.includes(';') ? held.split(/\s*;\s*(?:and\s+)?/) : joinTimes(held.split(COMMA));
  const last = items.pop() ?? '';
  return [...items, ...splitAnd(last, items)]
    .map((item) => item.replace(/\u0000(\d+)\u0000/g, (_, index: string) => quoted[Number(index)] ?? '').trim())
    .filter((item) => item !== '');
}

function splitAnd(item: string, others: readonly string[]): string[] {
  const match = /^(.+?)\s+and\s+(?:also\s+)?(.+)$/i.exec(item);
  const [, first = '', second = ''] = match ?? [];
  const isNoun = (words: string) => words !== '' && !startsWithVerb(words) && words.split(/\s+/).length <= 2;
  const areNouns = others.length > 0 && [...others, first, second].every(isNoun);
  const areQuotes = /^\u0000\d+\u0000$/.test(first) && /^\u0000\d+\u0000$/.test(second);
  return areNouns || areQuotes || (isErrand(first) && isErrand(second)) ? [first, second] : [item];
}

const isErrand = (words: string) => startsWithVerb(words) || readChore(words) !== undefined;

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
