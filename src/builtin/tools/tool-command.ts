import type { FilledArguments } from './arguments/fill-arguments.ts';
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
