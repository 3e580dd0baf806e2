import { cleanText, stripPoliteness } from '../../../language/clean-text.ts';
import type { FrameReader, TaskFrame } from './frame.ts';
import { readComplete } from './frame-complete.ts';
import { readCreate } from './frame-create.ts';
import { readDelete } from './frame-delete.ts';
import { readList } from './frame-list.ts';
import { readReverse } from './frame-reverse.ts';
import { readClear, readReopen } from './frame-take-back.ts';
import { readUpdate } from './frame-update.ts';

/** "remind me what I have to do", "I need to see my list": questions that begin like a creation. */
const SHOWING =
  /^(?:remind me (?:what|which|of (?:my|the|all) )|i (?:need|want|have) to (?:see|know|view|check|look at|review|hear)|put up)\b/i;
/** "add a due date to the report": a change, not a new task. */
const DUE_OR_NOTE =
  /^(?:(?:add|put|set|write|attach)\s+(?:an?\s+|the\s+|new\s+|this\s+)*(?:due date|deadline|description|note|comment|detail)|(?:set|give)\s+.+\s(?:due date|deadline)|make\s+(?:an?\s+|some\s+)?(?:changes?|edits?|corrections?))\b/i;

/** "the invoice, please move it to Wednesday". */
const TOPIC_FIRST =
  /^(?:about )?((?:the|my)\s+[^,:]{2,40}?)\s*[,:]\s*(?:please |can you |could you )*(move|delete|remove|cancel|complete|finish|mark|rename|change|push|postpone|reschedule|set|drop)\s+(?:it|that|this)\b(?: on(?= ))?(.*)$/i;

/** "keep the milk and delete everything else". */
const KEEP_REST =
  /^(?:keep|leave)\s+(?:only\s+)?(.+?)\s*(?:,|\band\b|\bbut\b)+\s*(\w+(?: rid of)?)\s+(?:everything else|all else|(?:all )?(?:of )?(?:the )?(?:others?|rest)(?: of (?:them|my (?:list|tasks)))?)(?=\W|$)(.*)$/i;

const readShowing: FrameReader = (clause) =>
  SHOWING.test(clause)
    ? (readList(clause.replace(/^(?:remind me (?:of )?|i (?:need|want|have) to )/i, '')) ?? readList(clause))
    : undefined;
const readDueOrNote: FrameReader = (clause) => (DUE_OR_NOTE.test(clause) ? readUpdate(clause) : undefined);

/** The word that a clause begins with says which readings come first: what follows "remind me to" is a title, whatever verbs are in it. */
const BY_FIRST_WORD: readonly [RegExp, readonly FrameReader[]][] = [
  [
    /^(?:set|change|update|move|put|get(?! rid)|count|consider)\b.*\b(?:done|completed?|finished)\W*$/i,
    [readComplete, readUpdate, readList],
  ],
  [
    /^(?:remind|remember|don'?t (?:let me )?forget|do not forget|never forget|make (?:sure|certain)|be sure|note|add|create|new|insert|jot|write|make (?:me )?(?:an?|another|new)\b|(?:set|give me|get me|open|start|begin)(?: up)? (?:(?:an?|another|the|new|my)\s+)*(?:\w+ )?(?:reminder|task|todo|to-?do|to do|alert|list|entry|item)\b(?!s)|put|schedule|record|log|todo|to-?do|task\b\s*[:-]|reminder|include|i(?:'m| am) out of|(?:i|we) (?:really |still |also )?(?:need|have|must|should|ought|want|got)|(?:i|we)'ve got to|need to|have to|gotta|got to)/i,
    [readShowing, readDueOrNote, readCreate, readList, readUpdate, readDelete, readComplete, readLateReminder],
  ],
  [
    /^(?:delete|remove|erase|drop|cancel|discard|scrap|trash|get rid|clear|wipe|forget|ditch|bin|purge|empty|throw|toss|dump|never ?mind)\b/i,
    [readDelete, readUpdate, readComplete, readList],
  ],
  [
    /^(?:mark|check\b.*\boff\b|check off|tick|cross|flag|complete(?! tasks)|finish(?! line))\b/i,
    [readComplete, readUpdate, readDelete, readList],
  ],
  [
    /^(?:rename|change|update|edit|modify|retitle|reword|rephrase|replace|reschedule|postpone|push|shift|delay|bump|extend)\b/i,
    [readUpdate, readComplete, readDelete, readList],
  ],
];
const OTHERWISE: readonly FrameReader[] = [
  readConditionalCreate,
  readInnerReminder,
  readList,
  readComplete,
  readUpdate,
  readDelete,
  readCreate,
  readLateReminder,
];

/** Reads a clause by its patterns; undefined when none fits. */
export function readFrame(text: string): TaskFrame | undefined {
  const clean = cleanText(text);
  const reverse = readReverse(clean);
  if (reverse) return reverse;
  const clause = stripPoliteness(clean)
    .replace(/^(rename|change|update|edit|delete|remove|complete|mark)\s*:\s*/i, '$1 ')
    .replace(KEEP_REST, '$2 everything$3 except $1')
    .replace(TOPIC_FIRST, '$2 $1$3');
  const readers = BY_FIRST_WORD.find(([begins]) => begins.test(clause))?.[1] ?? OTHERWISE;
  for (const read of [readReopen, readClear, ...readers]) {
    const frame = read(clause);
    if (frame) return frame;
  }
  return undefined;
}

/** "set an alarm to remind me to call mom", "the oven is on, remind me to check it". */
function readInnerReminder(clause: string): TaskFrame | undefined {
  const inside = /^.+?\bremind me (?:to|about|that|of)\s+(.+)$/is.exec(clause);
  return inside ? readCreate(`remind me to ${inside[1]}`) : undefined;
}

/** "I have a dentist appointment on Tuesday, remind me", "the flight is on Friday, set a reminder". */
function readLateReminder(clause: string): TaskFrame | undefined {
  const after =
    /^(?:i have |there is |there's |i've got )?(.+?)[,.;]?\s+(?:so |please |can you |could you |and )*(?:(?:don't forget to )?remind me(?: (?:of|about) (?:it|that))?|(?:set|create|make) (?:me )?a reminder(?: (?:for|about) (?:it|that|this))?)\W*$/is.exec(
      clause,
    );
  return after ? readCreate(`remind me to ${after[1]}`) : undefined;
}

/** "is milk on my list? if not, add it" begins like a question. */
function readConditionalCreate(clause: string): TaskFrame | undefined {
  return /\b(?:if not|if it isn't|if it's not|add it|add them|put it|put them|put that|add that)\b/i.test(clause)
    ? readCreate(clause)
    : undefined;
}
