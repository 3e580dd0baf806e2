import type { Json } from '../schema/json.ts';
import { cleanText, unquote } from './clean-text.ts';
import { type FillContext, fillArguments, kindOf } from './fill-arguments.ts';
import type { PendingTool, ToolCommand } from './tool-command.ts';
import type { ToolArgument } from './tool-document.ts';
import { isNo, isYes } from './yes-no.ts';

/** The command with the answer in it; undefined when the message is no answer. */
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

function readAnswer(missing: ToolArgument, text: string, context: FillContext): Json | undefined {
  const { name, schema } = missing;
  const read = fillArguments({ properties: { [name]: schema }, required: [name] }, text, context).arguments[name];
  return kindOf(missing) === 'text' ? unquote(text) : read;
}

function withArgument(command: ToolCommand, { name }: ToolArgument, value: Json): ToolCommand {
  const { arguments: known, missing } = command.filled;
  return {
    ...command,
    filled: { arguments: { ...known, [name]: value }, missing: missing.filter((other) => other.name !== name) },
  };
}
