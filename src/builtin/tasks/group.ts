import { unquote } from '../../language/clean-text.ts';
import { extractWhen } from '../../language/when.ts';
import type { Zone } from '../../language/zoned-time.ts';
import type { Slots } from './command.ts';
import { cleanReference, ITEM, MY_LIST } from './reference.ts';

const of = (source: string) => new RegExp(source, 'is');
const THINGS = String.raw`(?:ones?|${ITEM}|things?|stuff|lot|them|it|everything|all|${MY_LIST})`;
const OPENING = String.raw`(?:(?:all|every|each|any|the|of|my|our|those|these|them|it|whole|entire|other|remaining|still|that|that's|which|are|is|i've|i|have|already|everything|anything|what|whatever|ones?|tasks?|things?|items?|stuff|we|we've)\s+)*`;
const ALL = of(
  String.raw`^(?:all|everything|it all|(?:the )?whole thing|(?:all|every(?:thing)?|each|the whole|the entire)(?: (?:of|one of|single))?(?: (?:my|the|our|these|those|them|it))*(?: (?:other|remaining|open|single))?(?: ${THINGS})?(?: (?:on|in|from) ${MY_LIST})?|the rest|${MY_LIST})$`,
);
const DONE = of(String.raw`^${OPENING}(?:done|finished|completed?|ticked(?: off)?|checked(?: off)?)(?:\s+${THINGS})?$`);
const OPEN = of(
  String.raw`^${OPENING}(?:open|pending|unfinished|undone|incomplete|remaining|left|outstanding|not done)(?:\s+${THINGS})?$`,
);
const EXCEPT = String.raw`(?:except(?:ing)?(?: for| that)?|apart from|aside from|other than|excluding|exclud(?:e|es)|besides|save for|with the exception of|not including|(?:but|and)\s+(?:not|keep(?:ing)?|leave|spare|don'?t (?:delete|remove|touch|complete|mark)|do not (?:delete|remove|touch|complete|mark)))`;
const SPLIT = of(String.raw`^(.+?)\s*,?\s+${EXCEPT}\s+(.+)$`);
/** "but" alone is an exception only after a word for all. */
const SPLIT_BUT = of(
  String.raw`^((?:.*\s)?(?:all|everything|anything|${ITEM}|of them|them|list|ones|due \S+|as done|done))\s*,?\s+but(?:\s+for)?\s+(.+)$`,
);
const DUE = /^(.*?)\s*\b(?:(?:that|which)(?:'s| is| are)\s+)?(due|for|from|on|scheduled for)\s+(.+)$/i;
const OF_DAY = of(
  String.raw`^(?:(?:all|every|of|my|the)\s+)*((?:today|tomorrow|yesterday|(?:(?:this|next|last)\s+)?(?:week|month|\w+day))(?:'s|s'))\s+(?:${ITEM}|ones|things|stuff)$`,
);
const OVERDUE = of(
  String.raw`^(?:(?:all|every|everything|anything|of|my|the|that(?:'s| is| are)|which (?:is|are)|${ITEM})\s+)*(?:overdue|past due|late)(?:\s+(?:${ITEM}|ones|things|stuff))?$`,
);
const SOME = of(String.raw`^(?:(?:all|everything|every|each|anything|whatever|of|my|the|them)\s*)*(?:${ITEM}|ones?|things?|stuff)?$`);

/** What some words point at: a group of tasks, by state, day and exceptions, or one task by its name. */
export function readTarget(words: string, zone: Zone): Slots {
  const text = words.trim().replace(/[.!?,]+$/, '');
  const split = splitExcept(text);
  if (split) {
    const group = readGroup(split.rest, zone);
    return { ...(group ?? { ref: cleanReference(split.rest) }), except: split.except };
  }
  const group = readGroup(text, zone);
  if (group) return group;
  const ref = cleanReference(text);
  return ref === '' ? {} : { ref };
}

/** Words that stand for all tasks of a kind; undefined for words that name tasks. */
export function readGroup(words: string, zone: Zone): Slots | undefined {
  if (/^["']/.test(words)) return undefined;
  if (OVERDUE.test(words)) return { filter: 'pending', when: 'overdue' };
  const [, ofDay] = OF_DAY.exec(words) ?? [];
  if (ofDay !== undefined) return { filter: 'all', when: ofDay.replace(/'s$|'$/, '') };
  if (DONE.test(words)) return { filter: 'completed' };
  if (OPEN.test(words)) return { filter: 'pending' };
  if (ALL.test(words)) return { filter: 'all' };
  const [, head = '', , day = ''] = DUE.exec(words) ?? [];
  const when = day === '' ? undefined : extractWhen(day, zone);
  if (!when || when.rest !== '' || head.trim() === '') return undefined;
  const group = SOME.test(head.trim()) ? { filter: 'all' as const } : readGroup(head.trim(), zone);
  return group && { ...group, when: when.text };
}

/** Splits a group from its exception. Words in quotes are a title. */
export function splitExcept(words: string): { rest: string; except: string } | undefined {
  if (/^\s*["']/.test(words)) return undefined;
  const [, rest, except] = SPLIT.exec(words) ?? SPLIT_BUT.exec(words) ?? [];
  if (rest === undefined || except === undefined) return undefined;
  return { rest: rest.replace(/,$/, '').trim(), except: unquote(except) };
}
