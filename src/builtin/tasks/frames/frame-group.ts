import { unquote } from '../../../language/clean-text.ts';
import { ITEM, isTimeLike, MY_LIST, pattern, type Slots } from './frame.ts';

const EXCEPT = String.raw`(?:except(?:ing)?(?: for| that)?|apart from|aside from|other than|excluding|exclud(?:e|es)|besides|save for|with the exception of|not including|(?:but|and)\s+(?:not|keep(?:ing)?|leave|spare|don'?t (?:delete|remove|touch|complete|mark)|do not (?:delete|remove|touch|complete|mark)))`;
const SPLIT = pattern(String.raw`^(.+?)\s*,?\s+${EXCEPT}\s+(.+)$`);
/** "but" alone is an exception only after a word for all. */
const SPLIT_BUT = pattern(
  String.raw`^((?:.*\s)?(?:all|everything|anything|every (?:\w+ )?${ITEM}|${ITEM}|of them|them|list|ones|due \S+|is done|as done|done))\s*,?\s+but(?:\s+for)?\s+(.+)$`,
);
const DUE = pattern(
  String.raw`^(.*?)\s*\b(?:(?:that|which)(?:'s| is| are)\s+)?(due|for|from|scheduled for|with (?:a )?(?:due date|deadline)(?: of| on)?)\s+(.+)$`,
);
const OF_DAY = pattern(
  String.raw`^((?:(?:all|every|of|my|the)\s+)*)((?:today|tomorrow|yesterday|tonight|(?:(?:this|next|last)\s+)?(?:week|month|\w+day))(?:'s|s'))\s+(?:${ITEM}|ones|things|stuff)\W*$`,
);
const OVERDUE = pattern(
  String.raw`^(?:(?:all|every|everything|anything|of|my|the|that(?:'s| is| are)|which (?:is|are)|${ITEM})\s+)*(?:overdue|past due|late)(?:\s+(?:${ITEM}|ones|things|stuff))?\W*$`,
);
const SOME_TASKS = pattern(
  String.raw`^(?:(?:all|everything|every|each|any|anything|whatever|of|my|the|them|those|these)\s*)*(?:${ITEM}|ones?|things?|stuff|on ${MY_LIST})?$`,
);

/** Reads words that stand for all tasks of a kind. */
export type GroupReader = (words: string) => Slots | undefined;

/** "all my tasks except milk", "everything due tomorrow", "today's tasks": a group, cut down by a day or by exceptions. */
export function readGroup(words: string, readAll: GroupReader): Slots | undefined {
  const split = splitExcept(words);
  if (split) {
    const group = readDated(split.rest, readAll) ?? readAll(split.rest);
    if (group) return { ...group, except: split.except };
    return split.isStrong ? { ref: unquote(split.rest), except: split.except } : undefined;
  }
  return readDated(words, readAll) ?? readAll(words);
}

const EXCEPTS = pattern(String.raw`\b(?:${EXCEPT}|but)\b`);

/** Whether a text names an exception at all. */
export function hasException(text: string): boolean {
  return EXCEPTS.test(text);
}

/** Splits a group from its exception. Words in quotes are a title. */
export function splitExcept(words: string): { rest: string; except: string; isStrong: boolean } | undefined {
  if (/^\s*["']/.test(words)) return undefined;
  const strong = SPLIT.exec(words);
  const match = strong ?? SPLIT_BUT.exec(words);
  if (!match) return undefined;
  return {
    rest: String(match[1]).replace(/,$/, '').trim(),
    except: unquote(String(match[2])),
    isStrong: strong !== null,
  };
}

function readDated(words: string, readAll: GroupReader): Slots | undefined {
  const trimmed = words.trim();
  if (OVERDUE.test(trimmed)) return { filter: 'pending', when: 'overdue' };
  const ofDay = OF_DAY.exec(trimmed);
  if (ofDay) return { filter: 'all', when: String(ofDay[2]).replace(/'s$|'$/, '') };
  const [, head = '', link = '', day = ''] = DUE.exec(trimmed) ?? [];
  if (day === '' || /[:,]/.test(day) || (!/due/i.test(link) && !isTimeLike(day))) return undefined;
  const when = unquote(day).replace(/^(?:(?:on|by|at|for|in)\s+)+/i, '');
  const group = SOME_TASKS.test(head.trim()) ? { filter: 'all' as const } : readAll(head.trim());
  return group && group.filter !== undefined ? { ...group, when } : undefined;
}
