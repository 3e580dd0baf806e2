import { unquote } from '../../../language/clean-text.ts';
import { DURATION } from '../plan/shift-due.ts';
import { cleanReference } from './clean-reference.ts';
import { type FrameReader, ITEM, isTimeLike, namesItem, pattern, type Slots, type TaskFrame } from './frame.ts';
import { hasException, splitExcept } from './frame-group.ts';

const CHANGE = String.raw`(?:change|rename|update|edit|modify|retitle|reword|rephrase|revise|correct|alter|adjust|amend|relabel|fix|switch|turn|convert|rewrite|make|call|set)`;
const MOVE = String.raw`(?:move|prepone|reschedule|postpone|push(?: back| out)?|shift|delay|bump|bring forward|defer|put off|extend|prolong|slide|nudge|pull forward|bring back)`;
const QUOTED = String.raw`(?:"[^"]*"|'[^']*'(?=\W|$))`;
const FIELD = String.raw`(?:(?:the\s+)?(title|name|text|wording|description|details?|notes?|due date|deadline|date|time|due)\s+(?:of|for|on)\s+)`;
const LINK = String.raw`(?:to\s+(?:say\s+|(?:read|be|become)\s+(?=[\"']))?|into\s+|as\s+|so (?:that )?it says\s+|->\s*|=>\s*|with\s+|(?<!\d):\s*(?!\d)|=\s*|to:\s*)`;
const CHANGE_TO_QUOTED = pattern(String.raw`^${CHANGE}\s+${FIELD}?(.*?)\s*${LINK}(${QUOTED})\W*$`);
const CHANGE_TO = pattern(
  String.raw`^${CHANGE}\s+${FIELD}?(${QUOTED}|.+?)(?:\s+${LINK}|\s*(?:(?<!\d):|->|=>)\s*)(.+)$`,
);
const TWO_QUOTED = pattern(String.raw`^${CHANGE}\s+(${QUOTED})\s+(${QUOTED})\W*$`);
const RENAME_BARE = pattern(
  String.raw`^(?:rename|retitle|call|name|label|make)\s+((?:the |my )?(?:\S+ ){1,4}?(?:task|todo|item|reminder)|it|that|this|that one|the (?:first|second|third|fourth|fifth|last) one|(?:task|item|number) \d+)\s+(.+)$`,
);
const NOW_DUE = pattern(
  String.raw`^(?:update:?\s+)?(.+?)\s+(?:(?:is|are)\s+(?:now\s+)?due|should (?:now )?be due|is now|must be due)\s+(.+?)(?:\s+(?:now|instead))?\W*$`,
);
const PUT_OFF = pattern(
  String.raw`^(?:put|push|move)\s+(.+?)\s+(?:off|back|out|forward)\s+(?:to|until|till|by)\s+(.+)$`,
);
const DUE_FOR = pattern(
  String.raw`^(?:set|add|put|give)\s+(?:an?\s+|the\s+)?(?:due date|deadline|date)\s+(?:of|on|at|to)\s+(.+?)\s+(?:for|on|to)\s+(.+)$`,
);
const GIVE_DUE = pattern(String.raw`^give\s+(.+?)\s+(?:a|the)\s+(?:due date|deadline)\s+(?:of|on|at|for)\s+(.+)$`);
const ADD_NOTE = pattern(
  String.raw`^(?:add|put|attach|write)\s+(?:an?\s+|the\s+|this\s+)?(?:note|description|detail|comment)\s+(?:to|on|for)\s+(.+?)\s*(?::|saying|that says|-)\s*(.+)$`,
);
/** "put 'ask for Dr Singh' in the description of the surgery call". */
const NOTE_IN = pattern(
  String.raw`^(?:add|put|write|enter|set|save)\s+(${QUOTED})\s+(?:as|in|into|to)\s+(?:the\s+)?(?:description|details?|notes?)\s+(?:of|for|on)\s+(.+)$`,
);
/** "add a description to the board deck include the hiring numbers". */
const NOTE_OPEN = pattern(
  String.raw`^(?:add|put|attach|write)\s+(?:an?\s+)(?:note|description|comment)\s+(?:to|on|for)\s+(?:the\s+|my\s+)?(\S+(?:\s+\S+)?(?:\s+(?:task|one))?)(?:,\s*|\s+(?=(?:include|mention|bring|ask|take|remember|don't|use)\b))(.+)$`,
);
/** "put 10am on it". */
const PUT_ON = pattern(String.raw`^(?:put|stick)\s+(.+?)\s+on\s+(it|that|this|that one|this one)\W*$`);
const CHANGE_FROM = pattern(
  String.raw`^${CHANGE}\s+(?:(?:my|the|a)\s+)?(?:${ITEM}\s+|it\s+|title\s+|name\s+)?from\s+(.+?)\s+(?:to|into)\s+(.+)$`,
);
const REPLACE = pattern(String.raw`^(?:replace|swap|substitute)\s+(.+?)\s+(?:with|by|for)\s+(.+)$`);
const MOVE_TO = pattern(
  String.raw`^${MOVE}\s+(?:(?:the\s+)?(?:deadline|due date|date)\s+(?:of|for|on)\s+)?(.+?)\s+(?:back\s+|out\s+|forward\s+)?(?:to|until|till|by|for|on|from \S+ to)\s+(.+)$`,
);
const SHIFT = pattern(
  String.raw`^(${MOVE}|put|bring)\s+(?:(?:the\s+)?(?:deadline|due date|date)\s+(?:of|for|on)\s+)?(.+?)\s+(?:(off|back|out|forward|up|ahead)\s+)?(?:by\s+)?(${DURATION})(?:\s+(later|earlier|sooner|back|forward|ahead))?\W*$`,
);
const MOVE_OPEN = pattern(String.raw`^${MOVE}\s+(.+)$`);
const MAKE_CHANGES = pattern(
  String.raw`^make\s+(?:an?\s+|some\s+)?(?:changes?|edits?|corrections?)\b(?:\s+(?:to|in|on)\s+(.+))?$`,
);
const SHOULD = pattern(
  String.raw`^(.+?)\s+(?:should|needs? to|must|ought to)\s+(?:actually\s+|really\s+|now\s+)?(?:be called|be named|be renamed(?: to)?|say|read|be titled|be changed to|be updated to|be)\s+(.+?)(?:\s+instead)?[\s.!?]*$`,
);
const MUST_MOVE = pattern(
  String.raw`^(.+?)\s+(?:should|needs? to|must|has to|can|is|was|got)\s+(?:be\s+)?(?:moved|rescheduled|postponed|pushed|shifted)\s+(?:back\s+)?(?:to|until|till)\s+(.+)$`,
);
const MAKE_IT = pattern(
  String.raw`^(?:make|call|name|set|let's make|let's call|label)\s+(that one|this one|the (?:first|second|third|last) one|it|that|this)\s+(.+?)(?:\s+instead)?$`,
);
/** "the title should be …": of the task that was spoken of last. */
const ITS_NAME = /^(?:the|its|that)\s+(?:title|name|text|wording)$/i;
const I_MEANT = pattern(String.raw`^(?:i\s+(?:actually\s+)?meant|no,?\s+i meant|it's actually|it should be)\s+(.+)$`);
const SET_DUE = pattern(
  String.raw`^(?:set|change|update|move|put|add|give|make|edit|adjust)\s+(?:a\s+|the\s+|an?\s+)?(?:(?:due date|deadline|date|due|reminder time|time)\s+(?:of|for|on|to)\s+(.+?)\s+(?:to|as|for|on|at|is)\s+(.+)|(.+?)(?:'s)?\s+(?:a\s+)?(?:due date|deadline|due)\s+(?:(?:to|as|for|on|of|by|at)\s+)?(.+)|(.+?)\s+(?:is\s+)?due\s+(.+))$`,
);
const BARE = pattern(String.raw`^${CHANGE}\b\s*(.*)$`);
const NOT_UPDATE = /^(?:make|call|set|turn|switch|fix|put)\b/i;
/** A change of many tasks. */
const OF_ALL = pattern(
  String.raw`^\S+\s+(?:(?:back|off)\s+)?(?:(?:the\s+)?(?:due dates?|deadlines?|dates?|titles?|descriptions?)\s+(?:of|for|on)\s+)?(?:all(?! the way)|everything|every|each|whatever|anything)\b`,
);
const VAGUE =
  /^(?:something(?: else)?|anything(?: else)?|another (?:title|name|thing)|(?:an?|some) (?:new|different|better|other|another)? ?(?:title|name|one|thing|text|date|day)|else|different|new|something (?:better|different|new|nicer|shorter))\W*$/i;
const TIME_FIELD = /due|deadline|date|time/i;
const TEXT_FIELD = /description|detail|note/i;

/** "change 'buy milk' to 'buy oat milk'", "move the report to Friday", "rename the dentist task". */
export const readUpdate: FrameReader = (clause) => {
  const frame = readShift(clause) ?? readDue(clause) ?? readChange(clause) ?? readMove(clause) ?? readOpen(clause);
  const day = DAY_OF_GROUP.exec(clause)?.[1] ?? THINGS_OF_DAY.exec(clause)?.[1];
  if (frame && day !== undefined && frame.slots.when !== undefined) {
    const when = FROM_TO.exec(frame.slots.when)?.[2] ?? frame.slots.when;
    return { action: 'update', sure: true, slots: { filter: 'all', day, when } };
  }
  if (!frame || frame.missing !== undefined || !OF_ALL.test(clause)) return frame;
  const { ref = '', ...change } = frame.slots;
  const except = splitExcept(ref)?.except;
  // An exception that cannot be read must not be lost: the tasks are asked for.
  if (except === undefined && hasException(clause)) return { ...frame, slots: change, missing: 'ref' };
  return { ...frame, slots: { ...change, filter: 'all', ...(except !== undefined && { except }) } };
};

const DAY = String.raw`(?:(?:this|next)\s+(?:week|month|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|the \d{1,2}(?:st|nd|rd|th))`;
/** "move everything on Friday to Monday", "push whatever is due tomorrow to Friday": the first day is the one they have. */
const DAY_OF_GROUP = pattern(
  String.raw`^\S+\s+(?:back\s+)?(?:all|everything|every|each|whatever|anything|both)\b[^,;]*?\s(?:due|on|for|from|of)\s+(?:on\s+)?(${DAY})(?:'s)?(?:\s+(?:tasks?|things|stuff|ones|items))?\s+(?:to|onto|until)\s+\S`,
);
/** "push both of Monday's things to Tuesday". */
const THINGS_OF_DAY = pattern(
  String.raw`^\S+\s+(?:(?:both|all|everything)\s+(?:of\s+)?)?(?:the\s+)?(${DAY})'?s\s+(?:tasks?|things|stuff|ones|items|jobs|errands)\s+(?:to|onto|until)\s+\S`,
);
const FROM_TO = pattern(String.raw`^(.*[a-z]{3}.*?)\s+to\s+(.+)$`);

/** "postpone the dentist by a week", "bring it forward two days". */
function readShift(clause: string): TaskFrame | undefined {
  const [, verb = '', ref = '', way = '', time = '', after = ''] = SHIFT.exec(clause) ?? [];
  if (time === '') return undefined;
  const isEarlier = /forward|up|ahead|earlier|sooner/i.test(`${verb} ${way} ${after}`);
  return {
    ...update(cleanReference(ref), { when: time }, true),
    shift: isEarlier ? 'earlier' : 'later',
  };
}

function readDue(clause: string): TaskFrame | undefined {
  const changes = MAKE_CHANGES.exec(clause);
  if (changes) return update(cleanReference(changes[1] ?? ''), {}, true);
  const note = ADD_NOTE.exec(clause);
  if (note) return update(cleanReference(String(note[1])), { description: unquote(String(note[2])) }, true);
  const [, hour = '', task = ''] = PUT_ON.exec(clause) ?? [];
  if (hour !== '' && isTimeLike(hour)) return update(task, { when: hour }, true);
  const noteIn = NOTE_IN.exec(clause);
  if (noteIn) return update(cleanReference(String(noteIn[2])), { description: unquote(String(noteIn[1])) }, true);
  const noteOpen = NOTE_OPEN.exec(clause);
  if (noteOpen) return update(cleanReference(String(noteOpen[1])), { description: String(noteOpen[2]) }, true);
  const off = PUT_OFF.exec(clause) ?? MUST_MOVE.exec(clause) ?? NOW_DUE.exec(clause) ?? GIVE_DUE.exec(clause);
  if (off)
    return update(
      cleanReference(String(off[1])),
      { when: unquote(String(off[2])) },
      isAboutTask(clause, String(off[1])) || /\b(?:due|deadline)\b/i.test(clause),
    );
  const dueFor = DUE_FOR.exec(clause);
  if (dueFor && isTimeLike(String(dueFor[1])))
    return update(cleanReference(String(dueFor[2])), { when: unquote(String(dueFor[1])) }, true);
  const due = SET_DUE.exec(clause);
  if (!due) return undefined;
  const ref = cleanReference(due[1] ?? due[3] ?? due[5] ?? '');
  const when = unquote(due[2] ?? due[4] ?? due[6] ?? '');
  return update(ref, VAGUE.test(when) ? {} : { when }, true);
}

function readChange(clause: string): TaskFrame | undefined {
  const two = TWO_QUOTED.exec(clause) ?? CHANGE_FROM.exec(clause) ?? REPLACE.exec(clause);
  if (two) return retitle(String(two[1]), String(two[2]), isAboutTask(clause, String(two[1])));
  const match = CHANGE_TO_QUOTED.exec(clause) ?? CHANGE_TO.exec(clause);
  if (match) return readField(match, clause);
  const bare = RENAME_BARE.exec(clause);
  if (bare)
    return retitle(
      String(bare[1]),
      String(bare[2]).replace(/\s+instead\W*$/i, ''),
      isAboutTask(clause, String(bare[1])),
    );
  const make = MAKE_IT.exec(clause);
  if (make) return retitle(String(make[1]), String(make[2]), false);
  const should = SHOULD.exec(clause);
  if (should && !/^(?:i|we|you|what|who|how)\b/i.test(String(should[1])))
    return readShould(clause, String(should[1]).replace(ITS_NAME, 'it'), String(should[2]));
  const meant = I_MEANT.exec(clause);
  return meant ? retitle('it', String(meant[1]), false) : undefined;
}

/** "the report should be called …", "the rent ought to be on Friday", and "the rent should be higher", which is a remark. */
function readShould(clause: string, ref: string, value: string): TaskFrame {
  const isNamed =
    /\b(?:called|named|renamed|say|read|titled|changed to|updated to)\b/i.test(clause) || /^["']/.test(value);
  if (isNamed) return retitle(ref, value, false);
  const isTime = /^(?:on|at|by|before|until|till)\b/i.test(value) && isTimeLike(value);
  const frame = isTime ? update(cleanReference(ref), { when: value }, false) : retitle(ref, value, false);
  return { ...frame, isRemark: true };
}

function readField([, field = '', named = '', value = '']: RegExpExecArray, clause: string): TaskFrame {
  const ref = named.replace(ITS_NAME, 'it');
  const sure = isAboutTask(clause, ref);
  if (TIME_FIELD.test(field))
    return update(cleanReference(ref), VAGUE.test(value) ? {} : { when: unquote(value) }, true);
  if (TEXT_FIELD.test(field)) return update(cleanReference(ref), { description: unquote(value) }, true);
  return retitle(ref, value, sure);
}

/** Quoted, numbered, named as a task, or with a verb that only fits titles. */
function isAboutTask(clause: string, ref: string): boolean {
  return (
    /^(?:rename|retitle|reword|rephrase)\b/i.test(clause) ||
    /["']|^\s*(?:it|that|this)\s*$|^(?:the\s+)?(?:first|second|third|last)\b|#?\d+\s*$/i.test(ref) ||
    namesItem(clause)
  );
}

function readMove(clause: string): TaskFrame | undefined {
  const move = MOVE_TO.exec(clause) ?? MOVE_OPEN.exec(clause);
  if (!move) return undefined;
  const when = move[2];
  const sure = namesItem(clause);
  if (when === undefined) return update(cleanReference(String(move[1])), {}, sure);
  return update(cleanReference(String(move[1])), { when: unquote(when) }, sure);
}

/** A change that does not say what to. */
function readOpen(clause: string): TaskFrame | undefined {
  const bare = BARE.exec(clause);
  if (!bare || NOT_UPDATE.test(clause)) return undefined;
  const isField =
    /\b(?:due date|deadline|date|title|name)\W*$/i.test(clause) && /^\w+\s+(?:the|a|its|my)\b/i.test(clause);
  return update(cleanReference(String(bare[1])), {}, isField || namesItem(clause));
}

function retitle(ref: string, value: string, sure: boolean): TaskFrame {
  const title = unquote(value.replace(/^(["'].+["'])\s+(?:instead|please|pls|now|then|thanks)\W*$/i, '$1'));
  return update(
    cleanReference(ref.replace(/\s+(?:title|name|text|'s title|'s name)$/i, '')),
    title === '' || VAGUE.test(title) ? {} : { title },
    sure,
  );
}

function update(ref: string, change: Slots, sure: boolean): TaskFrame {
  const when = change.when?.replace(/^(?:(?:on|by|at|for|to|until|till)\s+)+/i, '').replace(/\s+instead\W*$/i, '');
  const slots: Slots = { ...(ref !== '' && { ref }), ...change, ...(when !== undefined && { when }) };
  if (ref === '') return { action: 'update', sure, slots, missing: 'ref' };
  if (Object.keys(change).length === 0) return { action: 'update', sure, slots, missing: 'change' };
  return { action: 'update', sure, slots };
}
