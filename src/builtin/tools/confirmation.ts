import type { ToolCommand } from './answer-tool.ts';
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
/** Enough for a request in other words that brings every value. */
const WANTED_FROM = 0.6;
const LEAST_SHARP = 0.6;

/** True if a tool must not run before the user says yes. Tools that only read never ask. */
export function needsConfirmation(command: ToolCommand, text: string): boolean {
  const { choice, filled, isConfirmed } = command;
  const effect = effectOf(choice.document);
  if (isConfirmed || effect === 'read') return false;
  // "I paid the fine" is no order to pay it; a tool that records takes statements.
  const isRecorded = isRecording(choice.document);
  if (isDenial(text) || (isStatement(text) && !isRecorded)) return true;
  const isToldOff = isRecorded && isStatement(text) && filled.scores.every((score) => score >= LEAST_SHARP);
  if (!usesVerbOf(choice.document, text) && !isToldOff) return effect === 'remove' || !isWanted(command, text);
  const isSaid =
    filled.scores.every((score) => score >= CLEARLY_SAID) || (effect === 'write' && filled.hasRest && filled.sure > 0);
  if (choice.confidence < (isSaid ? CONFIRM_CLEAR_BELOW : CONFIRM_WRITE_BELOW) || asksWhether(text)) return true;
  return effect === 'remove' ? !asksToRemove(text) && !asksToEnd(text) : asksToRemove(text);
}

/**
 * A request whose verb is not the tool's, but whose form and values leave no doubt: an order in other words ("take the
 * living room down to a quarter"), or a thing with all its values and no verb ("massage for room 214 tomorrow at 4 pm",
 * "128 over 84 this morning"). A tool that pays, sends or cannot be taken back needs its own verb.
 */
function isWanted({ choice, filled }: ToolCommand, text: string): boolean {
  const { document, confidence, byWords, isNamed } = choice;
  const isWhole = filled.scores.length > 0 && filled.own === filled.scores.length && filled.use.unused === 0;
  if (!isWhole || asksWhether(text) || asksForFact(text) || asksToRemove(text)) return false;
  if (isFragment(text) && confidence >= WANTED_FROM && (isGiving(document) || isRecording(document))) return true;
  return isNamed && isOrder(text) && byWords >= WANTED_FROM && !isGrave(document);
}
