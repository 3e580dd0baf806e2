import { foldEvents } from '../../agent/turn-state.ts';
import { AppError } from '../../errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { createClientTool } from '../../runtime/turn/client-tools.ts';
import type { CallAnswer, Event } from '../../schema/conversation/event.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { User } from '../../schema/user.ts';
import type { Tool } from '../../tools/tool.ts';

/** A result that the caller sends for one of its own tools. */
export interface ToolOutput {
  callId: string;
  output: string;
}

interface CallerTool {
  name: string;
  description?: string | null | undefined;
  parameters?: JsonObject | null | undefined;
}

/** The caller's tools. A tool with the name of one of ours is never offered. */
export function toClientTools(tools: readonly CallerTool[]): Tool[] {
  return tools.map(({ name, description, parameters }) =>
    createClientTool({
      name,
      description: description ?? '',
      ...(parameters && { inputSchema: { type: 'object', ...parameters } }),
    }),
  );
}

const CALL_ID = /^call_([0-9A-HJKMNP-TV-Z]{26})_(\d{1,4})$/;

/** The id of a call as the caller sees it: it leads back to its turn, for the results arrive in another request. */
export function toCallId(turnId: string, index: number): string {
  return `call_${turnId}_${index}`;
}

/** The conversation whose turn waits for these results; all are of one turn. */
export async function findWaiting(runtime: Runtime, user: User, outputs: readonly ToolOutput[]): Promise<string> {
  const turns = new Set(outputs.map(({ callId }) => CALL_ID.exec(callId)?.[1]));
  const [turnId] = turns;
  const turn = turns.size === 1 && turnId !== undefined ? await runtime.readTurn(user, turnId) : undefined;
  if (turn) return turn.conversation_id;
  throw new AppError('not_found', { detail: 'No turn waits for these tool results. Send the message again.' });
}

/** The results for the calls that wait in these events. */
export function answersTo(events: readonly Event[], outputs: readonly ToolOutput[]): CallAnswer[] {
  const { calls, waits } = foldEvents(events);
  const given = new Map(outputs.map(({ callId, output }) => [Number(CALL_ID.exec(callId)?.[2]), output]));
  return calls.flatMap(({ id, state }, index) => {
    const output = given.get(index);
    const isOpen = state === 'waiting' && waits.get(id)?.kind === 'client';
    return isOpen && output !== undefined ? [{ call_id: id, result: output }] : [];
  });
}
