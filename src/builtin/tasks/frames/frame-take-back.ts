import { cleanReference } from './clean-reference.ts';
import { type FrameReader, pattern, type Slots, type TaskFrame } from './frame.ts';

const TAKE_AWAY = String.raw`(?:delete|remove|erase|clear|drop|cancel|get rid of|unset|wipe|discard|scrap|strip|take(?: away| off| out)?|cut)`;
const FIELD = String.raw`(due dates?|deadline|due time|description)`;
/** Words that are as often a task of their own as a part of one. */
const LOOSE_FIELD = String.raw`(date|notes?|details?|title|name)`;
const THE = String.raw`(?:(?:the|any|that|this|my)\s+)*`;
const FIELD_OF = pattern(
  String.raw`^${TAKE_AWAY}\s+${THE}(?:${FIELD}\s+(?:of|from|for|on|off(?: of)?|in|to)|(date)\s+(?:away\s+)?from|${LOOSE_FIELD}\s+(?:of|off(?: of)?))\s+(?!(?:my|the) (?:calendar|diary|list)\b)(.+)$`,
);
const ITS_FIELD = pattern(
  String.raw`^${TAKE_AWAY}\s+(?:(its)|(.+?)(?:'s|s'))\s+(?:${FIELD}|${LOOSE_FIELD})(?:\s+(?:again|off|away))?\W*$`,
);
const REF_FIELD = pattern(String.raw`^${TAKE_AWAY}\s+(.+?)\s+(due date)\W*$`);
const BARE_FIELD = pattern(String.raw`^${TAKE_AWAY}\s+${THE}${FIELD}\W*$`);
const HAS_NONE = pattern(
  String.raw`^(.+?)\s+(?:has|have|needs?|should have|doesn't (?:have|need)|does not (?:have|need))\s+(?:no|an?|any)\s+(?:more\s+)?${FIELD}(?:\s+(?:anymore|any more|any longer|now))?\W*$`,
);
const SET_NONE = pattern(
  String.raw`^(?:set|change|update|make)\s+(?:the\s+)?${FIELD}\s+(?:of|for|on)\s+(.+?)\s+(?:to|as|into)?\s*(?:none|nothing|null|empty|never|blank|no (?:due )?date)\W*$`,
);

/** "remove the time of the dentist, keep the day": the day stays. */
const CLOCK = String.raw`(?:(?:exact|clock|start)\s+)?(?:time|hour)(?: of day)?`;
const TIME_OF = pattern(
  String.raw`^${TAKE_AWAY}\s+${THE}${CLOCK}(?:\s+(?:of|from|for|on|off(?: of)?)\s+(?!(?:my|the) (?:calendar|diary|list)\b)([^,;.]+?))?(?:\s+again)?(?:[,;.]?\s+(?:and |but )*(?:just |only )*(?:keep|leave)(?:ing)?(?: (?:just|only))? the (?:day|date))?\W*$`,
);
const ONLY_DAY = pattern(
  String.raw`^(?:(?:just|only)\s+)?keep\s+(?:just\s+|only\s+)?the (?:day|date)(?: (?:of|for|on) ([^,;.]+?))?(?:[,;]?\s+(?:and |but )*(?:no|not the|without(?: the| a)?|drop the|lose the) time)\W*$`,
);

/** "remove the due date of milk", "clear its description": a change of the task, never its deletion. */
export const readClear: FrameReader = (clause) => {
  const time = TIME_OF.exec(clause) ?? ONLY_DAY.exec(clause);
  if (time)
    return { action: 'update', sure: true, slots: { ref: cleanReference(time[1] ?? '') || 'it', clear: 'due_time' } };
  const of = FIELD_OF.exec(clause);
  if (of) return clear(of[1] ?? of[2] ?? of[3] ?? '', String(of[4]));
  const its = ITS_FIELD.exec(clause);
  if (its) return clear(its[3] ?? its[4] ?? '', its[2] ?? 'it');
  const bare = BARE_FIELD.exec(clause);
  if (bare) return clear(String(bare[1]), '');
  const none = SET_NONE.exec(clause);
  if (none) return clear(String(none[1]), String(none[2]));
  const has = HAS_NONE.exec(clause);
  if (has && /\b(?:no|n't|not)\b/i.test(clause) && !QUESTION.test(clause)) return clear(String(has[2]), String(has[1]));
  const ref = REF_FIELD.exec(clause);
  return ref && !/["']/.test(clause) ? clear(String(ref[2]), String(ref[1])) : undefined;
};

function clear(field: string, words: string): TaskFrame {
  const ref = cleanReference(words);
  const named: Slots = ref === '' ? {} : { ref };
  if (/title|name/i.test(field))
    return { action: 'update', sure: true, slots: named, missing: ref === '' ? 'ref' : 'change' };
  const slots: Slots = { ...named, clear: /due|deadline|date/i.test(field) ? 'due_date' : 'description' };
  return { action: 'update', sure: true, slots, ...(ref === '' && { missing: 'ref' as const }) };
}

const QUESTION =
  /^(?:what|which|who|why|how|when|where|is|are|was|did|do|does|have|has|show|list|display|tell|give|see|view|find|any|anything|everything|something|nothing|all|some|remind|remember|add|create|note|todo|if|until|once|make sure|i|we|you|delete|remove|count|there|that'?s?|this is)\b/i;
const UNDONE = String.raw`(?:not\s+(?:yet\s+)?(?:done|complete|completed|finished)|undone|incomplete|uncompleted|unfinished|unchecked|still open|open again)`;
const OPEN = String.raw`(?:open|pending|to do|todo|active)`;
const REOPEN = pattern(
  String.raw`^(?:re-?open|un-?mark|un-?check|un-?tick|un-?complete|un-?finish|un-?do the completion of)\b\s*(.*?)(?:\s+(?:as\s+)?(?:done|complete|completed|finished|again))*\W*$`,
);
const OPEN_AGAIN = pattern(String.raw`^(?:open)\s+(.+?)\s+(?:again|back up)\W*$`);
const MARK_UNDONE = pattern(
  String.raw`^(?:(?:mark|flag)\s+(.+?)\s+(?:as\s+)?${UNDONE}|(?:set|change|update|put|make)\s+(.+?)\s+(?:back\s+)?(?:as|to|to be)\s+${UNDONE}|(?:set|change|move|put)\s+(.+?)\s+back\s+(?:as|to)\s+${OPEN}|(?:set|put|mark|make)\s+(.+?)\s+open(?:\s+again)?)\W*$`,
);
const IS_UNDONE = pattern(
  String.raw`^(.+?)\s*(?:(?:'s| is| are| was| were)\s+(?:actually\s+)?not|\b(?:isn't|aren't|wasn't|weren't))\s+(?:(?:yet|actually|really|even|quite)\s+)*(?:done|complete|completed|finished)(?:\s+(?:yet|after all|anymore|though|actually))*\W*$`,
);
const NOT_FINISHED = pattern(
  String.raw`^(?:i|we)\s+(?:(?:have not|haven't|didn't|did not|never)\s+)(?:actually\s+|really\s+|yet\s+)*(?:finish(?:ed)?|complete[d]?|done?)\s+(?!anything|everything|any\b|all\b)(.+?)(?:\s+(?:yet|after all|actually))*\W*$`,
);

/** "reopen eggs", "eggs are not done", "mark eggs as undone". */
export const readReopen: FrameReader = (clause) => {
  const marked = REOPEN.exec(clause) ?? OPEN_AGAIN.exec(clause);
  if (marked) return reopen(String(marked[1]));
  const undone = MARK_UNDONE.exec(clause) ?? NOT_FINISHED.exec(clause);
  if (undone) return reopen(undone[1] ?? undone[2] ?? undone[3] ?? undone[4] ?? '');
  const is = QUESTION.test(clause) ? undefined : IS_UNDONE.exec(clause);
  return is ? reopen(String(is[1])) : undefined;
};

function reopen(words: string): TaskFrame {
  const ref = cleanReference(words);
  if (ref === '') return { action: 'update', sure: true, slots: { is_completed: false }, missing: 'ref' };
  return { action: 'update', sure: true, slots: { ref, is_completed: false } };
}
