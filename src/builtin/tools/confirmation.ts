import type { ToolCommand } from './answer-tool.ts';
import type { FilledArguments } from './arguments/fill-arguments.ts';
import { asksForFact, asksWhether } from './prohibition.ts';
import { isDenial, isOrder, isStatement } from './statement.ts';
import {
  asksToEnd,
  asksToRemove,
  effectOf,
  isFragment,
  isGiving,
  isGrave,
  isRecording,
  usesVerbOf,
} from './tool-effect.ts';

export const CONFIRM_WRITE_BELOW = 0.8;
/** Enough for a tool whose verb the message uses, if every required value was clearly said. */
const CONFIRM_CLEAR_BELOW = 0.55;
const CLEARLY_SAID = 0.4;
/** Enough for an order in other words that brings every value. */
const ORDERED_FROM = 0.6;
const LEAST_SHARP = 0.6;
/** Enough for a message that has nothing but the values of one tool. */
const PLAINLY_WANTED = 0.65;

/** True if a tool must not run before the user says yes. Tools that only read never ask. */
export function needsConfirmation({ choice, filled, isConfirmed }: ToolCommand, text: string): boolean {
  if (isConfirmed) return false;
  const effect = effectOf(choice.document);
  if (effect === 'read') return false;
  const isSaid =
    filled.scores.every((score) => score >= CLEARLY_SAID) || (effect === 'write' && filled.hasRest && filled.sure > 0);
  // "I paid the fine" is no order to pay it; a tool that records takes statements.
  if (isDenial(text) || (isStatement(text) && !isRecording(choice.document))) return true;
  const isMeant = usesVerbOf(choice.document, text) || (isSharp(filled) && isToldOff(choice.document, text));
  if (!isMeant) return !(effect === 'write' && isWantedAnyway({ choice, filled }, text));
  if (choice.confidence < (isSaid ? CONFIRM_CLEAR_BELOW : CONFIRM_WRITE_BELOW) || asksWhether(text)) return true;
  return effect === 'remove' ? !asksToRemove(text) && !asksToEnd(text) : asksToRemove(text);
}

/** "pitch 47 is loud again": a tool that records takes a statement whose values are all clear. */
function isToldOff(document: ToolCommand['choice']['document'], text: string): boolean {
  return isRecording(document) && isStatement(text);
}

function isSharp({ scores }: FilledArguments): boolean {
  return scores.length > 0 && scores.every((score) => score >= LEAST_SHARP);
}

/** A thing with all its values and no verb at all is a request: "massage for room 214 tomorrow at 4 pm". */
function isPlainlyWanted({ choice, filled }: Pick<ToolCommand, 'choice' | 'filled'>, text: string): boolean {
  return (
    isSharp(filled) &&
    filled.use.unused === 0 &&
    choice.confidence >= PLAINLY_WANTED &&
    isGiving(choice.document) &&
    isFragment(text) &&
    !isStatement(text) &&
    !asksForFact(text)
  );
}

/** Requests whose verb is not the tool's, but whose form and values leave no doubt. */
function isWantedAnyway(command: Pick<ToolCommand, 'choice' | 'filled'>, text: string): boolean {
  return isPlainlyWanted(command, text) || isReported(command, text) || isOrdered(command, text);
}

/** "128 over 84 this morning": nothing but values for a tool that records them. */
function isReported({ choice, filled }: Pick<ToolCommand, 'choice' | 'filled'>, text: string): boolean {
  return (
    isWhole(filled) &&
    choice.byWords >= PLAINLY_WANTED &&
    choice.isNamed &&
    isRecording(choice.document) &&
    isFragment(text)
  );
}

/**
 * "take the living room down to a quarter": an order in other words than the tool's, with a value for everything. A tool
 * that pays, sends or cannot be taken back needs its own verb.
 */
function isOrdered({ choice, filled }: Pick<ToolCommand, 'choice' | 'filled'>, text: string): boolean {
  return (
    isWhole(filled) &&
    choice.byWords >= ORDERED_FROM &&
    choice.isNamed &&
    isOrder(text) &&
    !isGrave(choice.document) &&
    !asksWhether(text) &&
    !asksForFact(text) &&
    !asksToRemove(text)
  );
}

/** Every required value is one of the message's own, and the message has no other. */
function isWhole({ scores, own, use }: FilledArguments): boolean {
  return scores.length > 0 && own === scores.length && use.unused === 0;
}
