import * as z from 'zod';
import { AppError } from '../../errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { MAX_TAKEN } from '../../runtime/turn/caller-history.ts';
import type { ResponsesRequest } from '../../schema/fronts/openai.ts';
import { isObject } from '../../schema/json.ts';
import type { User } from '../../schema/user.ts';
import type { StoredTurn } from '../../store/store.ts';
import { invalidAt, parseRequest } from '../http/parse.ts';
import type { ToolOutput } from './caller-tools.ts';
import { type CallerInput, isRole, readMessage, systemContext, toEarlier } from './chat-in.ts';
import { OpenaiContent, textOf } from './openai-content.ts';

const Output = z.looseObject({ call_id: z.string(), output: OpenaiContent });
const SYSTEM = ['system', 'developer'];
const MAX_TURNS = 1_000;

/** Reads the input of a response: text, or items of which the last ones are new. */
export function readInput({ input, instructions }: ResponsesRequest): CallerInput {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const own = instructions ? [{ role: 'system', content: instructions }] : [];
  const context = systemContext([...own, ...items.filter((item) => isRole(item, ...SYSTEM))]);
  const last = items.findLastIndex((item) => isRole(item, 'user', 'assistant') || isOutput(item));
  const history = () => items.slice(Math.max(last - MAX_TAKEN, 0), Math.max(last, 0)).flatMap(toEarlierItem);
  if (isOutput(items[last])) return { outputs: readOutputs(items, last), history, context };
  if (!isRole(items[last], 'user'))
    throw invalidAt({ path: ['input'], message: 'must end with a user message or with tool results' });
  return { message: readMessage(items[last], ['input', last]), outputs: [], history, context };
}

function isOutput(item: unknown): boolean {
  return isObject(item) && item.type === 'function_call_output';
}

/** The results behind the last item of another kind. */
function readOutputs(items: readonly unknown[], last: number): ToolOutput[] {
  const start = items.findLastIndex((item, index) => index <= last && !isOutput(item)) + 1;
  return items.slice(start, last + 1).map((item, offset) => {
    const { call_id, output } = parseRequest(Output, item, ['input', start + offset]);
    return { callId: call_id, output: textOf(output) };
  });
}

/** Calls, results and reasoning of earlier responses are in the store, or not ours. */
function toEarlierItem(item: unknown): unknown[] {
  return isRole(item, 'user', 'assistant') ? toEarlier(item) : [];
}

const RESPONSE_ID = /^resp_([0-9A-HJKMNP-TV-Z]{26})$/;

export function toResponseId(turnId: string): string {
  return `resp_${turnId}`;
}

/** The user's turn of a response. */
export async function findResponse(runtime: Runtime, user: User, id: string): Promise<StoredTurn> {
  const turnId = RESPONSE_ID.exec(id)?.[1];
  const turn = turnId === undefined ? undefined : await runtime.readTurn(user, turnId);
  if (turn) return turn;
  throw new AppError('not_found', { detail: `There is no response ${id.slice(0, 200)}.` });
}

/**
 * The message whose sibling the next one is: a response that others follow already is continued on a branch of its
 * own. Undefined for the newest one.
 */
export async function findBranch(runtime: Runtime, user: User, previous: StoredTurn): Promise<string | undefined> {
  const turns = await runtime.describeTurns(user, previous.conversation_id, { limit: MAX_TURNS });
  const next = turns.find(({ parent }) => parent === previous.id);
  return next?.message && (next.message.client_id ?? next.message.id);
}
