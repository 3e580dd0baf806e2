import type { Runtime } from '../../runtime/runtime.ts';
import type { ChatTurn } from '../../runtime/turn/turn.ts';
import { CALL_THREAD } from '../../schema/conversation/conversation.ts';
import type { Event } from '../../schema/conversation/event.ts';
import { type ChatCompletionRequest, ResponsesRequest, requestedSchema } from '../../schema/fronts/openai.ts';
import type { User } from '../../schema/user.ts';
import type { StoredTurn } from '../../store/store.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import { type Encoding, sseEncoding } from '../http/encode.ts';
import { parseRequest } from '../http/parse.ts';
import type { HttpReply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import { denyWaits } from '../stream/deny-waits.ts';
import { streamTurn, takeStream } from '../stream/open-stream.ts';
import { namedThread } from './call-thread.ts';
import { toClientTools } from './caller-tools.ts';
import { findModel, OTHERWISE, openCall } from './open-call.ts';
import { findBranch, findResponse, readInput } from './responses-in.ts';
import { createResponseTranslator, type ResponseHead, toSeconds, wholeResponse } from './responses-out.ts';
import { createTurnParts, readParts } from './turn-parts.ts';

/** Events without our ids: a client of OpenAI's protocol would not send them back. */
const responseEncoding: Encoding = {
  ...sseEncoding,
  encode: (_id, { name, data }) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
};

interface ResponseRoute {
  response: string;
}

export function addResponseRoutes(app: HttpApp, deps: ServerDeps): void {
  const { runtime } = deps;
  app.post('/v1/responses', (request, reply) => respond(deps, request, reply));
  app.get<ResponseRoute>('/v1/responses/:response', async ({ user, params }) =>
    readResponse(deps, await findResponse(runtime, user, params.response), user),
  );
  app.post<ResponseRoute>('/v1/responses/:response/cancel', async ({ user, params }) => {
    const turn = await findResponse(runtime, user, params.response);
    const newest = await runtime.readNewestTurn(user, turn.conversation_id);
    if (newest?.id === turn.id) await runtime.cancel(user, turn.conversation_id);
    return readResponse(deps, (await runtime.readTurn(user, turn.id)) ?? turn, user);
  });
}

async function respond(deps: ServerDeps, request: HttpRequest, reply: HttpReply): Promise<unknown> {
  const body = request.takeBody();
  const input = parseRequest(ResponsesRequest, body);
  const agent = findModel(deps.runtime.agents, input.model);
  const isStreamed = input.stream === true && input.background !== true;
  if (isStreamed) takeStream(reply, deps);
  const turn = await openResponse(deps, request, { agent: agent.name, body, input });
  const head: ResponseHead = {
    turnId: turn.turnId,
    conversationId: turn.conversationId,
    agent: agent.name,
    temperature: agent.model.temperature,
    created: toSeconds(deps.clock.date()),
    completed: () => toSeconds(deps.clock.date()),
    previous: input.previous_response_id ?? null,
    request: input,
  };
  if (input.background) {
    finishAlone(turn);
    return wholeResponse(head, []);
  }
  if (!isStreamed) return wholeResponse(head, await readParts(turn, reply));
  return streamTurn(reply, deps, { turn, translator: createResponseTranslator(head), encoding: responseEncoding });
}

async function openResponse(
  deps: ServerDeps,
  request: HttpRequest,
  { agent, body, input }: { agent: string; body: unknown; input: ResponsesRequest },
): Promise<ChatTurn> {
  const { runtime } = deps;
  const { conversation, previous_response_id: id } = input;
  const previous = id ? await findResponse(runtime, request.user, id) : undefined;
  const own = typeof conversation === 'string' ? conversation : conversation?.id;
  const clientId = previous && (await findBranch(runtime, request.user, previous));
  return openCall(deps, request, {
    agent,
    body,
    named: namedThread(request, own ?? input.metadata?.session_id),
    ...(previous && { follows: previous.conversation_id }),
    ...(clientId && { clientId }),
    ...(input.background && { keepsGoing: true }),
    input: readInput(input),
    tools: toClientTools(input.tools ?? []),
    choice: input.tool_choice,
    format: requestedSchema(asChatFormat(input.text?.format)),
  });
}

/** The two protocols write the schema in different places. */
function asChatFormat(
  format: NonNullable<ResponsesRequest['text']>['format'],
): ChatCompletionRequest['response_format'] {
  return format?.type === 'json_schema' ? { type: 'json_schema', json_schema: { schema: format.schema } } : format;
}

/** Reads a turn to its end without a client, so that its approvals are denied as in every call. */
function finishAlone({ events }: ChatTurn): void {
  const read = async () => {
    for await (const _ of events);
  };
  // The turn's own end is stored; a reader that fails changes nothing.
  read().catch(() => {});
}

/** The request of a call denies its approvals at once. A wait that is older was left by a server that died. */
const DENIED_WITHIN_MS = 5_000;

async function denyLeft(runtime: Runtime, user: User, conversationId: string): Promise<void> {
  const turns = runtime.follow(user, { conversationId, signal: AbortSignal.timeout(DENIED_WITHIN_MS) });
  const { value: turn } = await turns.next();
  if (turn) finishAlone(denyWaits(runtime, user, { turn, otherwise: OTHERWISE }));
}

/** A stored or running response. */
async function readResponse({ runtime, clock }: ServerDeps, turn: StoredTurn, user: User): Promise<unknown> {
  const { id: turnId, conversation_id: conversationId, created_at, ended_at = created_at } = turn;
  const reader = createTurnParts(turnId, conversationId);
  const events = await runtime.readEvents(user, turnId);
  const conversation = await runtime.readConversation(user, conversationId);
  const isDenied = conversation?.thread_id?.startsWith(CALL_THREAD) === true && asksPerson(events);
  if (isDenied && turn.status === 'waiting') {
    const waitedMs = clock.date().getTime() - Date.parse(events.at(-1)?.at ?? created_at);
    if (waitedMs > DENIED_WITHIN_MS) await denyLeft(runtime, user, conversationId);
  }
  const status = isDenied ? 'running' : turn.status;
  // A wait that was answered is no end, and neither is one that is about to be denied.
  const isEnd = (index: number) => index === events.length - 1 && !isDenied;
  const current = events.filter(({ type }, index) => type !== 'turn-wait' || isEnd(index));
  const parts = current.flatMap((event) => reader.parts(event));
  const head: ResponseHead = {
    turnId,
    conversationId,
    agent: turn.agent,
    temperature: runtime.agents.find(({ name }) => name === turn.agent)?.model.temperature,
    created: toSeconds(new Date(created_at)),
    completed: () => toSeconds(new Date(ended_at)),
    previous: null,
  };
  return wholeResponse(head, parts, status);
}

/** The turn waits for a person, not for a result of the caller. */
function asksPerson(events: readonly Event[]): boolean {
  const last = events.at(-1);
  if (last?.type !== 'turn-wait') return false;
  return events.some(
    (event) => event.type === 'tool-call-wait' && event.wait.kind !== 'client' && last.calls.includes(event.call_id),
  );
}
