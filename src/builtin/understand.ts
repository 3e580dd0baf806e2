import { splitClauses } from './clauses.ts';
import { cleanText, stripPoliteness } from './clean-text.ts';
import type { Frame } from './frame.ts';
import { readFrame } from './read-frame.ts';
import type { Command } from './task-desk.ts';
import { extractWhen } from './when.ts';
import type { Zone } from './zoned-time.ts';

/** What a message says: commands, or something that is no command to us. */
export type Understanding =
  | { kind: 'commands'; commands: Command[] }
  | { kind: 'other'; topic: 'chat' | 'others' | 'unknown' };

const GREETING =
  /^(?:hi|hello|hey|yo|thanks|thank you|thx|good (?:morning|afternoon|evening)|bye|goodbye|cheers|great|cool|nice|ok|okay)\b[\s\w,!.]{0,20}$/i;
const OTHERS =
  /\b(?:(?!today|tomorrow|yesterday|tonight|week|month|day|monday|tuesday|wednesday|thursday|friday|saturday|sunday|what|that|let|it|here|there|who|how|where|when|task|list)[a-z]+'s (?:tasks?|to-?dos?|(?:to-?do |task )?list|reminders)|(?:other|another|different) (?:user|person|people|account)s?(?:'s?|s')? ?(?:tasks?|to-?dos?|list)?|(?:everyone|everybody|somebody|someone)(?: else)?'s (?:tasks?|list|to-?dos?)|all users|tasks? (?:of|for|from) (?:user|other users)\b)/i;

/** Reads a message for an agent that keeps tasks. */
export function understand(text: string, zone: Zone): Understanding {
  const clean = cleanText(text);
  if (OTHERS.test(clean) && !/^(?:remind|add|create|remember)\b/i.test(stripPoliteness(clean)))
    return { kind: 'other', topic: 'others' };
  const commands = splitClauses(clean).flatMap((clause) => readClause(clause, zone) ?? []);
  if (commands.length > 0) return { kind: 'commands', commands };
  return { kind: 'other', topic: GREETING.test(clean) ? 'chat' : 'unknown' };
}

function readClause(clause: string, zone: Zone): Command | undefined {
  const frame = readFrame(clause);
  return frame && toCommand(frame, clause, zone);
}

export function toCommand(frame: Frame, clause: string, zone: Zone): Command {
  const when = frame.action === 'list' ? listWhen(clause, zone) : undefined;
  return {
    action: frame.action,
    confidence: frame.sure ? 0.95 : 0.75,
    slots: { ...frame.slots, ...(when !== undefined && { when }) },
    missing: frame.missing,
  };
}

function listWhen(clause: string, zone: Zone): string | undefined {
  return /\b(?:overdue|late)\b/i.test(clause) ? 'overdue' : extractWhen(clause, zone)?.text;
}
