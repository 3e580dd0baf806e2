import type { ToolError } from '../schema/conversation/tool-call.ts';
import { isObject } from '../schema/json.ts';

/** Details of a call that could not run because its tool is not set up: a missing file, server, network or login. */
export const NOT_SET_UP = { code: 'tool_unavailable' };

export function isSetUpFault(error: ToolError | undefined): boolean {
  const details = error?.details ?? null;
  return isObject(details) && details.code === NOT_SET_UP.code;
}
