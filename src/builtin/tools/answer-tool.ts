import { cleanText, unquote } from '../../language/clean-text.ts';
import { isNo, isYes } from '../../language/yes-no.ts';
import type { Json } from '../../schema/json.ts';
import { kindOf } from './arguments/argument-profile.ts';
import type { FillContext } from './arguments/candidate.ts';
import { type FilledArguments, fillArguments } from './arguments/fill-arguments.ts';
import type { ToolChoice } from './choose-tool.ts';
import { asksForFact, asksWhether } from './message-signals.ts';
import { isDenial, isOrder, isStatement } from './statement.ts';
import { argumentsOf, enumOf, type ToolArgument } from './tool-document.ts';
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

const COUNT = '(?:\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)';
const ITEM = String.raw`${COUNT}\s+(?:x\s+)?\p{L}[\p{L}'-]*(?:\s(?!(?:and|for|to|in|on|at|from|with|please|by)\b)[\p{L}'-]+){0,3}`;
const ROW = new RegExp(String.raw`(?<![\w-])${ITEM}(?:,\s*${ITEM})*,?\s+and\s+${ITEM}`, 'iu');

/** A request for several counted things as one request for each: "a tea and two coffees for room 4". */
export function splitCounted(text: string): string[] {
  const match = ROW.exec(text);
  if (!match) return [];
  const parts = match[0].split(/,\s*(?:and\s+)?|\s+and\s+/);
  return parts.map((part) => text.slice(0, match.index) + part + text.slice(match.index + match[0].length));
}

/**
 * The calls for the parts of a request, where one call cannot take them all: the tool is the same, each part is
 * complete, and they differ in a number or an option. A title or a list takes them all.
 */
export function joinCalls(whole: ToolCommand, parts: readonly ToolCommand[]): ToolCommand[] {
  const { tool } = whole.choice.document;
  const counts = Object.values(whole.filled.arguments).filter(
    (value) => typeof value === 'number' || Array.isArray(value),
  );
  const isSame = parts.every(
    ({ choice, filled }) => choice.document.tool.name === tool.name && filled.missing.length === 0,
  );
  const telling = argumentsOf(tool.inputSchema).filter(
    ({ schema }) => /int|number/.test(String(schema.type)) || enumOf(schema).length > 0,
  );
  const differs = telling.some(
    ({ name }) => new Set(parts.map(({ filled }) => JSON.stringify(filled.arguments[name]))).size > 1,
  );
  return parts.length > 1 && counts.length < parts.length && isSame && differs ? [...parts] : [whole];
}

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

/** A tool with its arguments and the confidence in this choice. */
export interface ToolCommand {
  choice: ToolChoice;
  filled: FilledArguments;
  isConfirmed: boolean;
}

/** A question about a tool call that the next message may answer. */
export type PendingTool =
  | { kind: 'fill'; command: ToolCommand; missing: ToolArgument }
  | { kind: 'confirm'; command: ToolCommand };

/** The command with the answer filled in; undefined if the message is not an answer. */
export function answerTool(
  pending: PendingTool,
  text: string,
  context: FillContext,
): ToolCommand | 'dropped' | undefined {
  const clean = cleanText(text);
  if (isNo(clean)) return 'dropped';
  if (pending.kind === 'confirm') return isYes(clean) ? { ...pending.command, isConfirmed: true } : undefined;
  const value = readAnswer(pending.missing, clean, context);
  return value === undefined ? undefined : withArgument(pending.command, pending.missing, value);
}

/** A whole answer is the value of these. */
const TEXTS: ReadonlySet<string> = new Set(['text', 'query', 'id', 'host', 'path', 'place']);

function readAnswer(missing: ToolArgument, text: string, context: FillContext): Json | undefined {
  const { name, schema } = missing;
  const read = fillArguments({ properties: { [name]: schema }, required: [name] }, text, context).arguments[name];
  return TEXTS.has(kindOf(missing)) ? unquote(text) : read;
}

function withArgument(command: ToolCommand, { name }: ToolArgument, value: Json): ToolCommand {
  const { arguments: known, missing } = command.filled;
  return {
    ...command,
    filled: {
      ...command.filled,
      arguments: { ...known, [name]: value },
      missing: missing.filter((other) => other.name !== name),
    },
  };
}
