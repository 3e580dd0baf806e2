import { classify } from './classify.ts';
import { splitClauses } from './clauses.ts';
import { cleanText, stripPoliteness } from './clean-text.ts';
import { forbidsTaskWork } from './forbids.ts';
import type { Frame } from './frame.ts';
import type { IntentModel } from './intent-model.ts';
import { type Question, readNotDone, readQuestion } from './read-question.ts';
import { readTaskList, splitLines } from './split-list.ts';
import type { Command } from './task-desk.ts';
import { extractWhen } from './when.ts';
import type { Zone } from './zoned-time.ts';

/** What a message says: commands, or something that is no command to us. */
export type Understanding =
  | { kind: 'commands'; commands: Command[] }
  /** Words that could be about a task, without saying what to do. */
  | { kind: 'vague'; words: string; confidence: number }
  | {
      kind: 'other';
      topic: 'greeting' | 'thanks' | 'others' | 'help' | 'answer' | 'forbidden' | 'unknown';
      confidence: number;
    };

const GREETING = /^(?:hi|hello|hey|yo|greetings|good (?:morning|afternoon|evening))\b[\s\w,!.]{0,20}$/i;
const HELP =
  /^(?:\/?(?:help|commands|usage)(?: me)?(?: please)?|\?+|(?:so )?what (?:(?:can|could|do) you (?:do|help(?: me)? with)(?: for me| here)?|can i (?:say|ask)(?: to you| you| here)?|are you(?: able to do| for)?|(?:is|are) your (?:commands|abilities|features|capabilities))|who are you|how (?:does (?:this|it) work|do (?:i use (?:this|it|you)|you work)|can you help(?: me)?|to use (?:this|it|you)))[\s.!?]*$/i;
/** An answer to nothing. */
const BARE_ANSWER =
  /^(?:yes|yep|yeah|yup|no|nope|nah|ok|okay|sure|maybe)\b[\s,.!]*(?:please|thanks|thank you|thing)?[\s.!]*$/i;
const THANKS = /^(?:thanks|thank you|thx|ty|cheers|great|cool|nice|awesome|perfect|bye|goodbye)\b[\s\w,!.]{0,20}$/i;
const OTHERS =
  /\b(?:(?!today|tomorrow|yesterday|tonight|week|month|day|monday|tuesday|wednesday|thursday|friday|saturday|sunday|what|that|let|it|here|there|who|how|where|when|task|list)[a-z]+'s (?:tasks?|to-?dos?|(?:to-?do |task )?list|reminders)|(?:other|another|different) (?:user|person|people|account)s?(?:'s?|s')?(?: ?(?:tasks?|to-?dos?|list))?|(?:everyone|everybody|somebody|someone)(?: else)?'s (?:tasks?|list|to-?dos?)|all users|tasks? (?:of|for|from) (?:user|other users|everyone)\b)/i;
const TAKES_TITLE = /^(?:remind|add|create|remember|don'?t forget)\b/i;

const NEVER_MIND = /^(?:oh |ok |okay |well |no |actually )*(?:never ?mind|nvm)(?: (?:it|that|then|thanks))?[\s.!]*$/i;

/** Reads a message for an agent that keeps tasks. */
export function understand(text: string, zone: Zone, model: IntentModel): Understanding {
  const clean = cleanText(text);
  if (GREETING.test(clean)) return { kind: 'other', topic: 'greeting', confidence: 0.95 };
  if (HELP.test(clean)) return { kind: 'other', topic: 'help', confidence: 0.95 };
  if (BARE_ANSWER.test(clean)) return { kind: 'other', topic: 'answer', confidence: 0.9 };
  if (NEVER_MIND.test(clean)) return { kind: 'other', topic: 'forbidden', confidence: 0.9 };
  if (THANKS.test(clean)) return { kind: 'other', topic: 'thanks', confidence: 0.95 };
  if (OTHERS.test(clean) && !TAKES_TITLE.test(stripPoliteness(clean)))
    return { kind: 'other', topic: 'others', confidence: 0.9 };
  const clauses = splitCommands(text);
  const parts = clauses.map((clause) => readClause(clause, zone, model));
  const commands = parts.flatMap((part) => (part.kind === 'commands' ? part.commands : []));
  const whole = clauses.length > 1 ? readClause(clean, zone, model) : parts[0];
  if (commands.length > 0 && !(whole && isClearer(whole, commands))) return { kind: 'commands', commands };
  return whole ?? { kind: 'other', topic: 'unknown', confidence: 0.5 };
}

/** One text for each command: an announced list, lines that are commands, clauses. */
function splitCommands(text: string): string[] {
  const titles = readTaskList(text);
  if (titles.length > 0) return titles.map((title) => `add task: ${cleanText(title)}`);
  return splitLines(text).flatMap((line) => splitClauses(cleanText(line)));
}

/** "I'm out of milk, put that on my list" says more as a whole than its second half does. */
function isClearer(whole: Understanding, commands: readonly Command[]): boolean {
  const isOpen = commands.some((command) => command.missing !== undefined);
  return isOpen && whole.kind === 'commands' && whole.commands.every((command) => command.missing === undefined);
}

function readClause(clause: string, zone: Zone, model: IntentModel): Understanding {
  if (forbidsTaskWork(clause)) return { kind: 'other', topic: 'forbidden', confidence: 0.9 };
  const { frame, kind, confidence } = classify(clause, model);
  if (kind === 'unknown') return { kind: 'other', topic: 'unknown', confidence };
  if (!frame) return { kind: 'vague', words: clause, confidence };
  const question = readQuestion(clause) ?? (frame.action === 'complete' ? readNotDone(clause) : undefined);
  if (question && frame.action !== 'list') return { kind: 'commands', commands: [toLookup(question, confidence)] };
  return { kind: 'commands', commands: [toCommand(frame, clause, { zone, confidence })] };
}

/** A question is answered from the list, whatever order its words resemble. */
function toLookup({ about }: Question, confidence: number): Command {
  return { action: 'list', confidence, slots: about === '' ? {} : { ref: about } };
}

function toCommand(frame: Frame, clause: string, { zone, confidence }: { zone: Zone; confidence: number }): Command {
  const when = frame.action === 'list' ? listWhen(clause, zone) : undefined;
  return {
    action: frame.action,
    confidence,
    slots: { ...frame.slots, ...(when !== undefined && { when }) },
    missing: frame.missing,
    isList: frame.isList,
    shift: frame.shift,
  };
}

function listWhen(clause: string, zone: Zone): string | undefined {
  return /\b(?:overdue|late)\b/i.test(clause) ? 'overdue' : extractWhen(clause, zone)?.text;
}
