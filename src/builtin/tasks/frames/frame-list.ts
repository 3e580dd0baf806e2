import { type FrameReader, ITEM, LIST_NAME, MY, MY_LIST, pattern, type Slots, type TaskFrame } from './frame.ts';

const SHOW = String.raw`(?:show|list|display|view|see|read|tell|give|check|get(?! rid)|pull up|bring up|print|find|open|look at|go over|go through|review|what|what's|what're|which|any|how many|do i|did i|have i|are there|is there|let me (?:see|know|view|look)|i (?:want|need|would like) to (?:see|know|view|check|review|look)|fetch|recite|recap|summari[sz]e|count|tell me|run through|enumerate|remind me (?:what|which)|hear|speak|may i know|instruct|describe|access|retrieve|bing up|i'd like to (?:see|hear))`;
const STATE = String.raw`(?:completed?|finished|done|closed|checked[- ]off|pending|open|incomplete|unfinished|outstanding|remaining|active|uncompleted|unchecked|current|upcoming|overdue|late|due|left|undone)`;
const SHOW_TASKS = pattern(String.raw`^${SHOW}\b(?:.*\b)?(?:${ITEM}|${LIST_NAME}|to-?do|agenda|plate)\b.*$`);
const BARE_LIST = pattern(
  String.raw`^(?:to-?do|tasks?)\s*\?+$|^(?!(?:an?|the|my|complete|done|finished)?\s*(?:task|item|todo|to-?do item|reminder|entry)\W*$)(?!complete task\b)(?:${MY})(?:(?:${STATE}|all|everything|new|current)\s+(?:and\s+)?)*(?:${ITEM}|${LIST_NAME})(?:\s+(?:please|for|due|today|tomorrow|this week|next week|overview|left|status|so far).*)?\W*$`,
);
const WHAT_TO_DO = pattern(
  String.raw`^(?:(?:what|anything|is there anything|everything|tell me what|show me what|show me everything|which things?)(?:'s| is| else| all| exactly| do| must| should| have| did| are| am| stuff)*\s*(?:(?:do|should|must|have|did|am|can|was|were|shall)\s+)?(?:(?:i|we)(?:'ve|'m)?\s+)?(?:still\s+|yet\s+|already\s+|just\s+|currently\s+)?(?:need|needs|have|has|got|left|supposed|to do|to get done|should do|must do|do|done|finish(?:ed)?|complet(?:e|ed)|accomplish(?:ed)?|get done|planned|due|pending|outstanding|remains?|remaining|overdue|scheduled|coming up|on for|next|up|going on|on deck|in store)(?:\s+(?:to (?:do|be done|get done|finish|complete|accomplish|take care of)|left(?: to do)?|done|due|i need to do|on (?:my|the) (?:plate|list|agenda)|to|be done|coming up))*)\b(.*)$`,
);
const TAIL =
  /^(?:[\s,]*(?:today|tomorrow|tonight|now|next|this|week|weekend|month|on|for|by|in|the|at|so far|yet|still|left|me|my|day|morning|afternoon|evening|monday|tuesday|wednesday|thursday|friday|saturday|sunday|all|again|\d+|days?|list|plate|tasks?|else|until|before|up|to|do|then|or|yesterday|last|already|recently|rest|of|here|around|and|pending|due|overdue))*\W*$/i;
const PLATE = pattern(
  String.raw`^(?:what(?:'s| is| do i have)|how(?:'s| is| are)|show me what(?:'s| is)|anything|is there anything|how(?:'s| is| does)|tell me what(?:'s| is))\s+(?:.*\s)?(?:on|in|for|left on|look(?:ing)? like)\s+(?:my|the)\s+(?:plate|list|agenda|schedule|day|to-?do|calendar|week)\b.*$`,
);
const DID_I = pattern(
  String.raw`^(?:what|which(?: \w+)?)\s+(?:have|did|'ve)\s+i\s+(?:already\s+)?(?:finish|complete|accomplish|done|do|get done)\w*\b.*$`,
);
const HOW_LIST = pattern(String.raw`^how(?:'s| is| are| does)\s+${MY_LIST}\b.*$`);
const IS_ON_LIST = pattern(
  String.raw`^(?:is|are|do i have|did i (?:add|put|write)|have i (?:added|put)|does|check (?:if|whether)|confirm)\b.*\b(?:on|in|to)\s+${MY_LIST}\W*$`,
);
const COMPLETED =
  /\b(?:completed|finished|done|accomplished|closed|checked[- ]off|ticked[- ]off|crossed[- ]off|did i (?:do|finish|complete|accomplish|get)|have i (?:done|finished|completed)|got done|complete tasks)\b/i;
const PENDING =
  /\b(?:pending|open tasks|open items|open to-?dos|incomplete|unfinished|outstanding|remaining|remains?|left|active|uncompleted|unchecked|undone|not (?:yet )?(?:done|finished|complete[d]?)|still (?:need|have|to|open|on|left|got|pending|not)|haven't|have(?:n't)? i not|need(?:s)? to (?:be done|do|get done|finish)|to be done|have to do|must (?:i )?(?:be )?do|should i (?:be )?(?:do|work|tackl)|to finish|yet to|overdue|left to do|needs doing|need doing|to get done|didn't)\b/i;
const OPEN =
  /\b(?:pending|open|incomplete|unfinished|outstanding|remaining|left|uncompleted|unchecked|undone|still)\b/i;
const ALL = /\b(?:all|everything|every|entire|whole|full)\b/i;
const SHOW_ALL =
  /^(?:show|list|display|view|see|give|print)(?: me)?(?: all| everything)?(?: of)?(?: (?:only|just|the|my|it|them|that|those|completed|done|finished|pending|open|unfinished|remaining|overdue|ones))*\W*$/i;
/** "open ones" */
const STATE_ONES = pattern(
  String.raw`^(?:(?:only|just|the|my|all|and)\s+)*${STATE}\s+(?:ones|things|stuff)(?:\s+only)?\W*$`,
);
/** "read it all back to me", "read me Monday". */
const READ_BACK =
  /^read (?:(?:it|them|that|this|those|everything|me|all|to|back|out|loud|aloud)\s*)*(?:back|out|all|everything|aloud|(?:for |on )?(?:today|tomorrow|tonight|(?:this|next) \w+|(?:mon|tues|wednes|thurs|fri|satur|sun)day))(?:\s+(?:to|for) me)?(?:[\s,]+(?:love|dear|please|mate|pls|now|again))*\W*$/i;
/** "what's Monday looking like", "what's in January", "how does next week look". */
const DAY = String.raw`(?:(?:on|in|for|this|next|the|rest|of|my|our|coming|all)\s+)*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|week|weekend|month|january|february|march|april|may|june|july|august|september|october|november|december|(?:the )?\d{1,2}(?:st|nd|rd|th))`;
const HOW_DAY = pattern(
  String.raw`^(?:and |so )?(?:(?:what(?:'s| is)|how(?:'s| is))\s+(?:in\s+(?:january|february|march|april|may|june|july|august|september|october|november|december)|(?:${DAY})\s+(?:looking|look|like)(?: like)?)|(?:what|how) (?:does|will|do)\s+(?:${DAY})\s+(?:look|hold|have|bring)(?: like)?|filter\s*:.*)(?: (?:now|then|so far|for me|at the moment|please))*\W*$`,
);
const NOT_YET =
  /^(?:what|which(?: \w+)?)\s+(?:have|haven't|did|didn't)\s+i\s+(?:not |yet |still )*(?:done|do|finish|finished|complete|completed|gotten to)\b.*$/i;
const WHAT_IS =
  /^(?:(?:and )?what(?:'s| is| are)|show me what(?:'s| is)|anything|is anything)(?: still| currently| all| else)* (?:not (?:yet )?(?:done|finished|completed?)|outstanding|pending|open|left|remaining|due|overdue|next|up next|upcoming|unfinished|incomplete|undone|on deck)\b(.*)$/i;
const SHOW_UNDONE =
  /^(?:show|list|display|view|see|give|tell)(?: me)? (?:all|everything|anything|what|(?:all )?(?:of )?(?:the |my )?(?:things|ones|stuff))(?: (?:that|which))?(?:'s| is| are)?(?: not| isn't| aren't)(?: yet)? (?:done|finished|completed?)(?: yet)?\W*$/i;
const DID_ALL =
  /^(?:did|have) i (?:finish(?:ed)?|complete[d]?|do|done|get|gotten) (?:everything|all|it all|anything)\b.*$/i;
const NOT_A_LIST =
  /\b(?:playlist|play list|email|emails|mail|inbox|songs?|contacts?|alarms?|price list|wine list|guest list|list of (?:songs|movies|restaurants|ingredients|countries|people|things i can say))\b/i;

/** "what are my tasks?", "show completed", "what do I need to do today?". */
export const readList: FrameReader = (clause) => {
  if (NOT_A_LIST.test(clause)) return undefined;
  if (
    SHOW_TASKS.test(clause) ||
    BARE_LIST.test(clause) ||
    STATE_ONES.test(clause) ||
    PLATE.test(clause) ||
    IS_ON_LIST.test(clause) ||
    HOW_LIST.test(clause) ||
    READ_BACK.test(clause) ||
    HOW_DAY.test(clause)
  )
    return list(clause, true);
  const what = WHAT_IS.exec(clause);
  if (what && (TAIL.test(String(what[1])) || /^\s*for me\W*$/i.test(String(what[1])))) return list(clause, true);
  const todo = WHAT_TO_DO.exec(clause);
  if (todo && TAIL.test(String(todo[1])))
    return list(clause, /\b(?:to do|need|have|left|pending|due|overdue|done|finish|complete)/i.test(clause));
  if (DID_ALL.test(clause)) return { action: 'list', sure: true, slots: {} };
  if (SHOW_ALL.test(clause) || SHOW_UNDONE.test(clause) || NOT_YET.test(clause)) return list(clause, true);
  return DID_I.test(clause) ? list(clause, true) : undefined;
};

function list(clause: string, sure: boolean): TaskFrame {
  return { action: 'list', sure, slots: listSlots(clause) };
}

/** Which tasks a question is about. */
export function listSlots(clause: string): Slots {
  const negated = /(?:\b(?:not|un)|n't)\s*(?:yet\s+)?(?:done|finished|completed?)|haven't|incomplete/i.test(clause);
  if (
    !negated &&
    COMPLETED.test(clause) &&
    !/\bneeds? to (?:be|get)\b|\bto be done|to get done|get done\b/i.test(clause)
  )
    return { filter: 'completed' };
  if (negated || OPEN.test(clause)) return { filter: 'pending' };
  if (ALL.test(clause)) return { filter: 'all' };
  return PENDING.test(clause) ? { filter: 'pending' } : {};
}
