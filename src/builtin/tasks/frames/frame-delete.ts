import { cleanReference } from './clean-reference.ts';
import { type FrameReader, ITEM, LIST_NAME, MY, MY_LIST, pattern, type Slots, type TaskFrame } from './frame.ts';
import { readGroup } from './frame-group.ts';

const DELETE = String.raw`(?:delete|remove|erase|drop|cancel|discard|scrap|trash|get rid of|clear(?: out| off)?|wipe(?: out| off)?|forget(?: about)?|ditch|kill|nuke|bin|purge|eliminate|dump|scratch|undo adding|throw (?:away|out)|toss(?: out)?|cut|axe|empty(?: out)?|destroy|blank out|take out(?= .*\blist\b)|dismiss|strike|del)`;
const DELETE_REF = pattern(String.raw`^${DELETE}\b\s*(.*)$`);
const TAKE_OFF = pattern(
  String.raw`^(?:take|get|pull|knock|wipe|leave|move|strike|scratch|cross)\s+(?:off\s+(.+?)|(.+?)\s+(?:off(?: of)?|out of|from))(?:\s+(?:from\s+)?${MY_LIST})?(?:\s+again)?\W*$`,
);
const NOT_NEEDED = pattern(
  String.raw`^(?:i|we)\s+(?:don'?t|do not|no longer|won't)\s+(?:need|want|have|care about)\s+(?:to\s+(?:do\s+)?|the\s+)?(.+?)(?:\s+(?:anymore|any more|any longer|now))?(?:\s+(?:on|in)\s+${MY_LIST})?\W*$`,
);
const NEVER_MIND = pattern(
  String.raw`^(?:never ?mind|forget)\s+(?:about\s+)?(?:the\s+|my\s+)?(.+?)(?:\s+${ITEM})?\W*$`,
);
const CAN_GO = pattern(
  String.raw`^(.+?)\s+(?:(?:can|should|could|may|must|needs? to) (?:be (?:deleted|removed|erased|dropped|cancell?ed|taken off|scrapped)|go(?! (?:to|on|at|in|into|over|back|up|by)\b))|(?:is|are) (?:no longer needed|not needed|not necessary|obsolete|irrelevant)|isn't needed|is (?:now )?cancell?ed)\b.*$`,
);
const LISTED = pattern(String.raw`\b(?:${ITEM}|${LIST_NAME})\b`);
const EVERYTHING = pattern(
  String.raw`^(?:(?:all|everything|every|each)\b(?:\s+(?:of|my|the|them|things?|that(?: is|'s)?|single|${ITEM}|on|from|in|off|out|${MY_LIST}))*|${MY}(?:whole|entire)?\s*${LIST_NAME}|${MY}${LIST_NAME}|(?:my|the|all)?\s*(?:tasks|to-?dos|items|reminders|lists?)|(?:the|all) (?:the )?(?:tasks|items|things) (?:on|from|in|off) ${MY_LIST}|it all|them all|all of (?:it|them))\W*$`,
);
const DONE_ONES = pattern(
  String.raw`^(?:all |of |the |those |these |any |every)*(?:ones?|things?|tasks?|items?|stuff|everything|whatever|what)\s+(?:that\s+|which\s+)?(?:(?:i|we)(?:'ve| have)?(?: already| just)*\s+(?:finished|done|completed|ticked off)|(?:is|are|'s|'re)(?: already)?\s+(?:done|finished|completed?|ticked off))\W*$`,
);
const STATE = pattern(
  String.raw`^(?:all|every|everything|each|any|anything)?\s*(?:of\s+)?${MY}(?:all\s+)?(?:(completed?|finished|done|closed|checked[- ]off|old completed)|(pending|open|incomplete|unfinished|outstanding|remaining|uncompleted))(?:\s+(?:${ITEM}|ones|things|stuff))?(?:\s+(?:from|on|off|in)\s+${MY_LIST})?\W*$`,
);
const STATE_AFTER = pattern(
  String.raw`^(?:(?:all|every|everything|each|anything)\s*(?:of\s+)?${MY}(?:${ITEM}|ones|things|stuff)?|${MY}(?:tasks|items|to-?dos|things|ones))\s*(?:(?:that|which)?\s*(?:is|are|'s|has been|have been|i(?:'ve| have)?)?\s*)(?:already\s+)?(completed?|finished|done|checked[- ]off|crossed off)\W*$`,
);

/** "delete buy milk", "take bread off my list", "get rid of completed tasks", "clear my list". */
export const readDelete: FrameReader = (clause) => {
  const off = TAKE_OFF.exec(clause);
  if (off && /\boff\b|\bfrom\b|\bout of\b/i.test(clause)) return remove(off[1] ?? off[2] ?? '', LISTED.test(clause));
  const match = DELETE_REF.exec(clause);
  if (match) return remove(String(match[1]), LISTED.test(clause) || /["']|^\w+ (?:it|that|this)\b/i.test(clause));
  const canGo = CAN_GO.exec(clause);
  if (canGo) return remove(String(canGo[1]), LISTED.test(clause));
  const notNeeded = NOT_NEEDED.exec(clause);
  if (notNeeded) return remove(String(notNeeded[1]), LISTED.test(clause));
  const never = NEVER_MIND.exec(clause);
  return never && !/^(?:it|that|this)$/i.test(String(never[1]))
    ? remove(String(never[1]), LISTED.test(clause))
    : undefined;
};

function remove(words: string, sure: boolean): TaskFrame {
  const slots = removeSlots(words.trim());
  if (slots.ref === undefined && slots.filter === undefined) return { action: 'delete', sure, slots, missing: 'ref' };
  return { action: 'delete', sure: sure || slots.except !== undefined || slots.when !== undefined, slots };
}

function removeSlots(words: string): Slots {
  const group = readGroup(words, readAll);
  if (group) return group;
  const ref = cleanReference(words);
  return ref === '' ? {} : { ref };
}

function readAll(words: string): Slots | undefined {
  const state = STATE.exec(words) ?? STATE_AFTER.exec(words);
  if (state) return { filter: state[2] ? 'pending' : 'completed' };
  // "the ones I've finished"
  if (DONE_ONES.test(words)) return { filter: 'completed' };
  return EVERYTHING.test(words) && !/^(?:the|my)?\s*(?:task|item|todo|to-do|reminder)\W*$/i.test(words)
    ? { filter: 'all' }
    : undefined;
}
