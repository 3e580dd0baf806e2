import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { ChatTurn } from '../../runtime/turn/turn.ts';
import { conversationNotFound } from '../../runtime/turn/turn-errors.ts';
import type { Agent } from '../../schema/agent.ts';
import type { CallAnswer, EventOf } from '../../schema/conversation/event.ts';
import { ConversationId } from '../../schema/ids.ts';
import { parseRequest } from '../http/parse.ts';
import { turnInterrupted } from '../stream/write-events.ts';
import type { CallOutcome, McpCall } from './mcp-call.ts';
import { createQuestions, type Question, readAnswers, toElicitation, unasked } from './questions.ts';

export const AskArguments = z.strictObject({
  message: z.string().min(1).describe('The message for the agent'),
  session_id: ConversationId.optional().describe('The conversation to continue, as an earlier answer names it'),
});
export const AskResult = z.object({
  session_id: z.string(),
  turn_id: z.string(),
  status: z.string(),
  content: z.string(),
});
const AskState = z.strictObject({ session_id: ConversationId });

const KEY_PREFIX = 'mcp:';

/** Puts a message to an agent and returns its answer. A turn that waits for a person becomes a question. */
export async function ask(call: McpCall, agent: Agent, given: unknown): Promise<CallOutcome> {
  const input = parseRequest(AskArguments, given);
  if (call.state !== undefined) return answerWaiting(call);
  const { user, runtime } = call;
  call.takeTurn(user);
  const turn = await runtime.chat(user, {
    agent: agent.name,
    message: input.message,
    ...(input.session_id && { conversationId: input.session_id }),
    ...(call.key && { idempotencyKey: `${KEY_PREFIX}${call.key}` }),
  });
  return finish(call, turn);
}

/** Continues a turn with the client's answers. Whether they fit is decided by the turn, not by the client's state. */
async function answerWaiting(call: McpCall): Promise<CallOutcome> {
  const { user, runtime } = call;
  const { session_id: conversationId } = parseRequest(AskState, call.state, ['requestState']);
  const newest = await runtime.readNewestTurn(user, conversationId);
  if (!newest) throw conversationNotFound();
  const questions = createQuestions();
  const events = await runtime.readEvents(user, newest.id);
  for (const event of events) questions.take(event);
  const waiting = questions.of(events.findLast((event) => event.type === 'turn-wait')?.calls ?? []);
  const answers = readAnswers(call, waiting);
  if (!answers) return toQuestions(call, conversationId, waiting);
  call.takeTurn(user);
  return finish(call, await sendAnswers(call, { conversationId, turnId: newest.id, answers }));
}

interface GivenAnswers {
  conversationId: string;
  turnId: string;
  answers: CallAnswer[];
}

function sendAnswers({ runtime, user }: McpCall, { conversationId, turnId, answers }: GivenAnswers): Promise<ChatTurn> {
  const digest = createHash('sha256').update(JSON.stringify(answers)).digest('hex');
  const idempotencyKey = `${KEY_PREFIX}${turnId}:${digest}`;
  return runtime.answer(user, { conversationId, answers, idempotencyKey, keepsGoing: false });
}

/** Reads a turn to its end; waits are put to the client, or denied if it cannot ask. */
async function finish(call: McpCall, first: ChatTurn): Promise<CallOutcome> {
  for (let turn = first; ; ) {
    call.onTurn?.(turn);
    const questions = createQuestions();
    const last = await readTurn(call, turn, questions);
    if (last.type === 'turn-end') return toResult(last, turn);
    const open = questions.of(last.calls);
    const { conversationId, turnId } = turn;
    if (call.canAsk) return toQuestions(call, conversationId, open);
    turn = await sendAnswers(call, { conversationId, turnId, answers: unasked(open) });
  }
}

type LastEvent = EventOf<'turn-end'> | EventOf<'turn-wait'>;

/** A call that is cancelled leaves the turn, which stops it. */
async function readTurn(
  { signal, progress, ready }: McpCall,
  { before, events, pausesAt }: ChatTurn,
  questions: ReturnType<typeof createQuestions>,
): Promise<LastEvent> {
  const leave = () => void events.return?.();
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  for (const event of before) questions.take(event);
  let last: LastEvent | undefined;
  for await (const event of events) {
    questions.take(event);
    if (event.type === 'text-delta') progress.text(event.text);
    if (event.type === 'tool-call-run') progress.step(event.tool);
    last = event.type === 'turn-end' || event.type === 'turn-wait' ? event : undefined;
    if (pausesAt?.(event)) break;
    await ready?.();
  }
  signal.removeEventListener('abort', leave);
  signal.throwIfAborted();
  if (!last) throw turnInterrupted();
  return last;
}

function toQuestions({ sdk }: McpCall, session_id: string, questions: readonly Question[]): CallOutcome {
  return sdk.inputRequired({
    inputRequests: Object.fromEntries(questions.map((question) => [question.callId, toElicitation(sdk, question)])),
    requestState: JSON.stringify({ session_id }),
  });
}

/** The conversation's id is also text, because models read nothing else. */
function toResult({ result }: EventOf<'turn-end'>, turn: ChatTurn): CallOutcome {
  const { status, error } = result;
  const { conversationId: session_id, turnId: turn_id } = turn;
  const content = error?.message ?? (result.content || 'The turn was stopped.');
  return {
    content: [
      { type: 'text', text: content },
      { type: 'text', text: `session_id: ${session_id}` },
    ],
    structuredContent: { session_id, turn_id, status, content, ...(error && { code: error.code }) },
    ...(error && { isError: true }),
  };
}
