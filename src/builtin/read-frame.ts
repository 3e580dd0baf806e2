import { cleanText, stripPoliteness } from './clean-text.ts';
import type { Frame, FrameReader } from './frame.ts';
import { readComplete } from './frame-complete.ts';
import { readCreate } from './frame-create.ts';
import { readDelete } from './frame-delete.ts';
import { readList } from './frame-list.ts';
import { readUpdate } from './frame-update.ts';

const UNDO =
  /^(?:undo(?: (?:that|it|this|the last (?:one|change|thing|action)|last|my last (?:change|action)))?|(?:revert|take) (?:that|it|this)(?: back)?|put (?:it|that) back|bring (?:it|that) back|i didn't mean (?:to do )?that)\W*$/i;
const readUndo: FrameReader = (clause) => (UNDO.test(clause) ? { action: 'undo', sure: true, slots: {} } : undefined);

/** What can follow "remind me to" or "add" is a title, whatever verbs are in it: creation is read first. */
const COMMANDS_THAT_TAKE_A_TITLE =
  /^(?:remind|remember|don'?t (?:let me )?forget|do not forget|make sure|be sure|note|add|create|new|insert|jot|write|set (?:up )?(?:an?|another|the|new)?\s*(?:\w+ )?(?:reminder|task|todo|to-do|alert)|put|schedule|record|log|todo|to-do|task|reminder|i (?:really |still |also )?(?:need|have|must|should|ought|want|got)|i've got to|we (?:need|have|must|should))\b/i;

/** Reads a clause by its patterns; undefined when none fits. */
export function readFrame(text: string): Frame | undefined {
  const clause = stripPoliteness(cleanText(text));
  const readers = COMMANDS_THAT_TAKE_A_TITLE.test(clause)
    ? [readUndo, readShowing, readUpdateOfDue, readCreate, readList, readUpdate, readDelete, readComplete]
    : [readUndo, readList, readComplete, readUpdate, readDelete, readCreate];
  for (const read of readers) {
    const frame = read(clause);
    if (frame) return frame;
  }
  return undefined;
}

/** "remind me what I have to do", "I need to see my list": questions that begin like a creation. */
function readShowing(clause: string): Frame | undefined {
  const isQuestion =
    /^(?:remind me (?:what|which|of (?:my|the) (?:tasks|list|to-?dos))|i (?:need|want|have) to (?:see|know|view|check|look at|review)|put up)\b/i.test(
      clause,
    );
  return isQuestion
    ? (readList(clause.replace(/^(?:remind me (?:of )?|i (?:need|want|have) to )/i, '')) ?? readList(clause))
    : undefined;
}

/** "add a due date to the report": a change, not a new task. */
function readUpdateOfDue(clause: string): Frame | undefined {
  return /^(?:add|put|set)\s+(?:an?\s+|the\s+)?(?:due date|deadline|description|note)\s+(?:to|for|on|of)\b/i.test(
    clause,
  )
    ? readUpdate(clause)
    : undefined;
}
