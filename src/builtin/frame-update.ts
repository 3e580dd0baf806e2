import { cleanReference } from './clean-reference.ts';
import { unquote } from './clean-text.ts';
import { type Frame, type FrameReader, ITEM, pattern, type Slots } from './frame.ts';

const CHANGE = String.raw`(?:change|rename|update|edit|modify|retitle|reword|rephrase|revise|correct|alter|adjust|amend|relabel|fix|switch|turn|convert|rewrite|make|call|set)`;
const MOVE = String.raw`(?:move|reschedule|postpone|push(?: back| out)?|shift|delay|bump|bring forward|defer|put off)`;
const QUOTED = String.raw`(?:"[^"]*"|'[^']*'(?=\W|$))`;
const FIELD = String.raw`(?:(?:the\s+)?(title|name|text|wording|description|details?|notes?|due date|deadline|date|time|due)\s+(?:of|for|on)\s+)`;
const LINK = String.raw`(?:to\s+(?:say\s+|read\s+|be\s+)?|into\s+|as\s+|so (?:that )?it says\s+|->\s*|=>\s*|with\s+|:\s*|=\s*|to:\s*)`;
const CHANGE_TO_QUOTED = pattern(String.raw`^${CHANGE}\s+${FIELD}?(.*?)\s*${LINK}(${QUOTED})\W*$`);
const CHANGE_TO = pattern(String.raw`^${CHANGE}\s+${FIELD}?(${QUOTED}|.+?)\s+${LINK}(.+)$`);
const TWO_QUOTED = pattern(String.raw`^${CHANGE}\s+(${QUOTED})\s+(${QUOTED})\W*$`);
const REPLACE = pattern(String.raw`^(?:replace|swap|substitute)\s+(.+?)\s+(?:with|by|for)\s+(.+)$`);
const MOVE_TO = pattern(
  String.raw`^${MOVE}\s+(.+?)(?:\s+(?:back\s+|out\s+|forward\s+)?(?:to|until|till|by|for|on|from \S+ to)\s+(.+)|\s+(.+))?$`,
);
const SHOULD = pattern(
  String.raw`^(.+?)\s+(?:should|needs? to|must|ought to)\s+(?:actually\s+|really\s+|now\s+)?(?:be called|be named|be renamed(?: to)?|say|read|be titled|be changed to|be updated to|be)\s+(.+?)(?:\s+instead)?\W*$`,
);
const MAKE_IT = pattern(
  String.raw`^(?:make|call|name|set|let's make|let's call|label)\s+(it|that|this|that one|this one|the (?:first|second|third|last) one)\s+(.+?)(?:\s+instead)?$`,
);
const I_MEANT = pattern(String.raw`^(?:i\s+(?:actually\s+)?meant|no,?\s+i meant|it's actually|it should be)\s+(.+)$`);
const SET_DUE = pattern(
  String.raw`^(?:set|change|update|move|put|add|give|make|edit|adjust)\s+(?:a\s+|the\s+|an?\s+)?(?:(?:due date|deadline|date|due|reminder time|time)\s+(?:of|for|on|to)\s+(.+?)\s+(?:to|as|for|on|at|is)\s+(.+)|(.+?)(?:'s)?\s+(?:a\s+)?(?:due date|deadline|due)\s+(?:to|as|for|on|of|by|at)?\s*(.+)|(.+?)\s+(?:is\s+)?due\s+(.+))$`,
);
const BARE = pattern(String.raw`^${CHANGE}\b\s*(.*)$`);
const NOT_UPDATE = /^(?:make|call|set|turn|switch|fix|put)\b/i;
const VAGUE =
  /^(?:something(?: else)?|anything(?: else)?|another (?:title|name|thing)|a (?:new|different|better|other) (?:title|name|one|thing|text|date|day)|else|different|new)\W*$/i;
const TIME_FIELD = /due|deadline|date|time/i;
const TEXT_FIELD = /description|detail|note/i;

/** "change 'buy milk' to 'buy oat milk'", "move the report to Friday", "rename the dentist task". */
export const readUpdate: FrameReader = (clause) =>
  readDue(clause) ?? readChange(clause) ?? readMove(clause) ?? readOpen(clause);

function readDue(clause: string): Frame | undefined {
  const due = SET_DUE.exec(clause);
  if (!due) return undefined;
  const ref = cleanReference(due[1] ?? due[3] ?? due[5] ?? '');
  const when = unquote(due[2] ?? due[4] ?? due[6] ?? '');
  return update(ref, VAGUE.test(when) ? {} : { when }, true);
}

function readChange(clause: string): Frame | undefined {
  const two = TWO_QUOTED.exec(clause) ?? REPLACE.exec(clause);
  if (two) return retitle(String(two[1]), String(two[2]), true);
  const match = CHANGE_TO_QUOTED.exec(clause) ?? CHANGE_TO.exec(clause);
  if (match) return readField(match, clause);
  const make = MAKE_IT.exec(clause);
  if (make) return retitle(String(make[1]), String(make[2]), false);
  const should = SHOULD.exec(clause);
  if (should && !/^(?:i|we|you|what|who|how)\b/i.test(String(should[1])))
    return retitle(String(should[1]), String(should[2]), false);
  const meant = I_MEANT.exec(clause);
  return meant ? retitle('it', String(meant[1]), false) : undefined;
}

function readField([, field = '', ref = '', value = '']: RegExpExecArray, clause: string): Frame {
  const sure = !NOT_UPDATE.test(clause) || pattern(String.raw`\b${ITEM}\b`).test(clause);
  if (TIME_FIELD.test(field))
    return update(cleanReference(ref), VAGUE.test(value) ? {} : { when: unquote(value) }, true);
  if (TEXT_FIELD.test(field)) return update(cleanReference(ref), { description: unquote(value) }, true);
  return retitle(ref, value, sure);
}

function readMove(clause: string): Frame | undefined {
  const move = MOVE_TO.exec(clause);
  if (!move) return undefined;
  const when = move[2] ?? move[3];
  const sure = pattern(String.raw`\b${ITEM}\b`).test(clause);
  if (when === undefined) return update(cleanReference(String(move[1])), {}, sure);
  return update(cleanReference(String(move[1])), { when: unquote(when) }, sure);
}

/** A change that does not say what to. */
function readOpen(clause: string): Frame | undefined {
  const bare = BARE.exec(clause);
  if (!bare || NOT_UPDATE.test(clause)) return undefined;
  return update(cleanReference(String(bare[1])), {}, pattern(String.raw`\b${ITEM}\b`).test(clause));
}

function retitle(ref: string, value: string, sure: boolean): Frame {
  const title = unquote(value);
  return update(
    cleanReference(ref.replace(/\s+(?:title|name|text|'s title|'s name)$/i, '')),
    title === '' || VAGUE.test(title) ? {} : { title },
    sure,
  );
}

function update(ref: string, change: Slots, sure: boolean): Frame {
  const slots: Slots = { ...(ref !== '' && { ref }), ...change };
  if (ref === '') return { action: 'update', sure, slots, missing: 'ref' };
  if (Object.keys(change).length === 0) return { action: 'update', sure, slots, missing: 'change' };
  return { action: 'update', sure, slots };
}
