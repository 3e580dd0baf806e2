import { startsWithVerb } from '../../../language/action-verbs.ts';
import { cleanText } from '../../../language/clean-text.ts';
import { describeHelp } from '../../help-text.ts';
import type { PlanReply } from '../../plan.ts';
import { readQuestion } from '../frames/read-question.ts';
import { isRemark } from '../small-talk.ts';
import { dropOpeners } from '../talk/peel.ts';
import type { Pending, TaskContext } from '../task-context.ts';
import type { Understanding } from '../understand.ts';
import { offerReadings } from './offer-readings.ts';

/** A remark is answered as one: nothing was asked, and nothing has changed. */
export function nearlyNothing(text: string, { intents, memory }: TaskContext): string | undefined {
  const help = intents.unknown?.reply ?? 'I can only help with your tasks.';
  const isTalk = isRemark(cleanText(text)) || (memory.known.length > 0 && isStatement(text));
  return isTalk ? `I've left your tasks as they are. ${help}` : undefined;
}

/** Work that this program is asked to do itself: "can you text Ann". */
export function isWork(text: string): boolean {
  return /\b(?:can|could|would|will|might) (?:you|u)\b(?! (?:please )?(?:tell|show|read|remind|say|list|give))/i.test(
    text,
  );
}

/** Words that neither ask nor order: they are heard, and nothing is done. */
function isStatement(text: string): boolean {
  const plain = dropOpeners(cleanText(text));
  return !/\?\s*$/.test(plain) && !isWork(text) && !startsWithVerb(plain) && !readQuestion(plain);
}

export function sayOther(
  understood: Exclude<Understanding, { kind: 'commands' }>,
  { intents, names, zone }: TaskContext,
  unable: string | undefined,
): PlanReply<Pending> {
  const help = intents.unknown?.reply ?? 'I can only help with your tasks.';
  if (understood.kind === 'vague') return offerReadings(understood, zone);
  const texts = {
    greeting: `Hello! ${help}`,
    thanks: "You're welcome!",
    others: 'I can only see and change your own tasks.',
    help: describeHelp(names),
    answer: 'There is nothing to confirm right now. Tell me what to do with your tasks, or say "help".',
    forbidden: "All right, I've left your tasks as they are.",
    elsewhere: unable ?? help,
    unknown: unable ?? help,
  };
  return {
    text: texts[understood.topic],
    intents: [{ name: 'unknown', confidence: round(understood.confidence), parameters: {} }],
  };
}

function round(confidence: number): number {
  return Math.round(confidence * 100) / 100;
}
