import type { ToolChoice } from './choose-tool.ts';
import type { FilledArguments } from './fill-arguments.ts';
import type { ToolArgument } from './tool-document.ts';

/** One tool with its arguments, and how sure that is. */
export interface ToolCommand {
  choice: ToolChoice;
  filled: FilledArguments;
  isConfirmed: boolean;
}

/** A question about a tool call that the next message may answer. */
export type PendingTool =
  | { kind: 'fill'; command: ToolCommand; missing: ToolArgument }
  | { kind: 'confirm'; command: ToolCommand };
