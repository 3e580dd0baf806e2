import { cleanText, unquote } from '../../language/clean-text.ts';
import { isNo, isYes } from '../../language/yes-no.ts';
import type { Json } from '../../schema/json.ts';
import { kindOf } from './arguments/argument-profile.ts';
import type { FillContext } from './arguments/candidate.ts';
import { type FilledArguments, fillArguments } from './arguments/fill-arguments.ts';
import type { ToolChoice } from './choose-tool.ts';
import type { ToolArgument } from './tool-document.ts';

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
