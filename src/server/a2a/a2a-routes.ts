import packageJson from '../../../package.json' with { type: 'json' };
import { AppError } from '../../errors.ts';
import type { ChatTurn } from '../../runtime/turn/turn.ts';
import type { Agent } from '../../schema/agent.ts';
import { ThreadId } from '../../schema/conversation/conversation.ts';
import { MIME_TYPES } from '../../schema/file.ts';
import { A2aList, A2aRequest, A2aSend, A2aTaskId } from '../../schema/fronts/a2a.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import { parseRequest, readTrace } from '../http/parse.ts';
import type { HttpReply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import { findAgent } from '../routes/agents.ts';
import { streamTurn, takeStream } from '../stream/open-stream.ts';
import { OLD_NAMES, readOldCall } from './a2a-03.ts';
import { answersOf, filesOf, keyOfMessage, textOf } from './a2a-in.ts';
import { a2aEncoding, createA2aTranslator, toRpcError } from './a2a-out.ts';
import { listTasks, type ReadTask, readTask, type TaskOwner } from './a2a-read.ts';
import { type A2aNames, type A2aTask, createTaskReader, NEW_NAMES } from './a2a-task.ts';

interface AgentRoute {
  name: string;
}

/** Each agent by A2A 1.0 and 0.3 (JSON-RPC): a task is a turn, a context is a conversation. */
export function addA2aRoutes(app: HttpApp, deps: ServerDeps): void {
  const { runtime } = deps;
  app.get(CARD_PATH, (request) => {
    const [only, ...others] = runtime.agents;
    if (only && others.length === 0) return toAgentCard(only, request);
    throw new AppError('not_found', { detail: `This server has several agents. Use /agent/{name}${CARD_PATH}.` });
  });
  app.get<AgentRoute>(`/agent/:name${CARD_PATH}`, (request) =>
    toAgentCard(findAgent(runtime, request.params.name), request),
  );
  app.post<AgentRoute>('/agent/:name/a2a', async (request, reply) => {
    const agent = findAgent(runtime, request.params.name);
    const body = request.takeBody();
    const read = A2aRequest.safeParse(body).data;
    if (!read) return { jsonrpc: '2.0', id: idOf(body), error: { code: INVALID_REQUEST, message: NO_ENVELOPE } };
    const { id = null, method, params = {} } = read;
    const old = readOldCall(method, params);
    const names = old ? OLD_NAMES : NEW_NAMES;
    const call: Call = { deps, request, reply, agent, id, names, ...(old ?? { method, params }) };
    try {
      return await answer(call);
    } catch (error) {
      // The limits are those of HTTP, with Retry-After; the rest is an answer of the protocol.
      if (!(error instanceof AppError) || error.retryAfterSeconds !== undefined || reply.isDone) throw error;
      request.facts.error = error.code;
      return { jsonrpc: '2.0', id: call.id, error: toRpcError(error) };
    }
  });
}

interface Call {
  deps: ServerDeps;
  request: HttpRequest;
  reply: HttpReply;
  agent: Agent;
  id: unknown;
  names: A2aNames;
  method: string;
  params: unknown;
}

const INVALID_REQUEST = -32600;
const NO_ENVELOPE = 'This is no request of JSON-RPC 2.0: send jsonrpc, method, params and id.';

/** The id of a request that is otherwise not readable; null if it has none. */
function idOf(body: unknown): string | number | null {
  return A2aRequest.unwrap().pick({ id: true }).safeParse(body).data?.id ?? null;
}

const NO_PUSH = /PushNotificationConfig/;

async function answer(call: Call): Promise<unknown> {
  const { method, id, names } = call;
  const result = (value: unknown) => ({ jsonrpc: '2.0', id, result: value });
  const refuse = (code: number, message: string) => ({ jsonrpc: '2.0', id, error: { code, message } });
  // Clients of 0.3 mostly send no version: the name of the method shows it.
  const own = names === OLD_NAMES ? '0.3' : '1.0';
  const { 'a2a-version': version = own } = call.request.headers;
  if (version !== own) return refuse(-32009, `This method belongs to A2A ${own}; the request names ${version}.`);
  switch (method) {
    case 'SendMessage':
      return result(names.result({ task: await sendMessage(call) }));
    case 'SendStreamingMessage':
      return streamMessage(call);
    case 'GetTask':
      return result(names.task((await readNamed(call)).task));
    case 'ListTasks':
      return result(await listTasks(ownerOf(call), parseRequest(A2aList, call.params, ['params'])));
    case 'SubscribeToTask':
      return (await subscribe(call)) ? undefined : refuse(-32004, 'This task has ended. Use GetTask.');
    case 'CancelTask': {
      const task = await cancelTask(call);
      return task ? result(names.task(task)) : refuse(-32002, 'This task has ended, so it cannot be cancelled.');
    }
    default:
      if (NO_PUSH.test(method)) return refuse(-32003, 'This agent sends no push notifications. Use GetTask.');
      return refuse(-32601, `There is no method ${method}.`);
  }
}

/** Begins a task, or answers the questions of a waiting one. */
async function beginTask(call: Call): Promise<{ turn: ChatTurn; contextId: string; send: A2aSend }> {
  const { deps, request, agent } = call;
  const { user } = request;
  const send = parseRequest(A2aSend, call.params, ['params']);
  const { contextId, taskId, parts } = send.message;
  const shared = { idempotencyKey: keyOfMessage(send.message), ...readTrace(request) };
  if (taskId) {
    const { events, conversationId, task } = await readTask(ownerOf(call), taskId);
    deps.takeTurn(user);
    const turn = await deps.runtime.answer(user, { conversationId, answers: answersOf(parts, events), ...shared });
    return { turn, contextId: task.contextId, send };
  }
  const message = { message: textOf(parts), files: filesOf(parts) };
  if (deps.debug) request.facts.message = message.message;
  const threadId = contextId ? parseRequest(ThreadId, contextId, ['params', 'message', 'contextId']) : undefined;
  deps.takeTurn(user);
  const run = { agent: agent.name, ...shared };
  const turn =
    threadId === undefined
      ? await deps.runtime.chat(user, { ...run, ...message })
      : await deps.runtime.runThread(user, { ...run, threadId, message, history: () => [], answersTo: () => [] });
  return { turn, contextId: threadId ?? turn.conversationId, send };
}

/** Waits for the task's end, its questions, or nothing if the client wants the task at once. */
async function sendMessage(call: Call): Promise<A2aTask> {
  const { turn, contextId, send } = await beginTask(call);
  const { request, reply } = call;
  request.facts.session_id = turn.conversationId;
  request.facts.turn_id = turn.turnId;
  const reader = createTaskReader({ taskId: turn.turnId, contextId });
  for (const event of turn.before) reader.take(event);
  const historyLength = send.configuration?.historyLength ?? 0;
  if (send.configuration?.returnImmediately && turn.status === 'running') {
    // The events before an answer end with its question.
    const { value: next } = await turn.events.next();
    if (next) reader.take(next);
    await turn.events.return?.();
    return reader.task(historyLength);
  }
  // The task goes on without this reader; GetTask reads it later.
  reply.sink.onClose(() => void turn.events.return?.());
  for await (const event of turn.events) {
    reader.take(event);
    if (turn.pausesAt?.(event)) break;
  }
  return reader.task(historyLength);
}

async function streamMessage(call: Call): Promise<void> {
  takeStream(call.reply, call.deps);
  const { turn, contextId } = await beginTask(call);
  const translator = createA2aTranslator({ taskId: turn.turnId, contextId }, call);
  await streamTurn(call.reply, call.deps, { turn, translator, encoding: a2aEncoding });
}

/** Streams a task from its beginning; false if it has ended. */
async function subscribe(call: Call): Promise<boolean> {
  const { deps, request, reply } = call;
  const { task, conversationId } = await readNamed(call);
  if (!(await isOpen(call, conversationId, task.id))) return false;
  takeStream(reply, deps);
  const left = new AbortController();
  reply.sink.onClose(() => left.abort());
  const turns = deps.runtime.follow(request.user, { conversationId, signal: left.signal });
  const { value: turn } = await turns.next();
  if (turn?.turnId !== task.id) return false;
  const translator = createA2aTranslator({ taskId: task.id, contextId: task.contextId }, call);
  await streamTurn(reply, deps, { turn, translator, encoding: a2aEncoding });
  await turns.return();
  return true;
}

function ownerOf({ deps: { runtime }, request: { user }, agent }: Call): TaskOwner {
  return { runtime, user, agent: agent.name };
}

function readNamed(call: Call): Promise<ReadTask> {
  const params = parseRequest(A2aTaskId, call.params, ['params']);
  return readTask(ownerOf(call), params.id, params);
}

async function isOpen({ deps, request }: Call, conversationId: string, taskId: string): Promise<boolean> {
  const newest = await deps.runtime.readNewestTurn(request.user, conversationId);
  return newest?.id === taskId && ['running', 'waiting', 'interrupted'].includes(newest.status);
}

/** Undefined if the task has ended. */
async function cancelTask(call: Call): Promise<A2aTask | undefined> {
  const { deps, request } = call;
  const { conversationId, task } = await readNamed(call);
  if (!(await isOpen(call, conversationId, task.id))) return undefined;
  if (!(await deps.runtime.cancel(request.user, conversationId))) return undefined;
  return (await readNamed(call)).task;
}

const CARD_PATH = '/.well-known/agent-card.json';
const TEXT = 'text/plain';
const SCHEME = { scheme: 'Bearer', bearerFormat: 'JWT' };

/**
 * An agent as other agents find it: what it is for, where it answers, and how to sign in. It names no user. Keys of 1.0
 * and of 0.3 are beside each other; each client ignores those that it does not know.
 */
function toAgentCard(agent: Agent, request: HttpRequest): Record<string, unknown> {
  const { name, server, starters } = agent;
  const description = agent.description ?? `The agent ${name}.`;
  const url = request.addressOf(`/agent/${name}/a2a`);
  return {
    name,
    description,
    version: packageJson.version,
    supportedInterfaces: ['1.0', '0.3'].map((protocolVersion) => ({
      url,
      protocolBinding: 'JSONRPC',
      protocolVersion,
    })),
    url,
    protocolVersion: '0.3.0',
    preferredTransport: 'JSONRPC',
    capabilities: { streaming: true, pushNotifications: false },
    defaultInputModes: [TEXT, ...MIME_TYPES.filter((type) => type !== TEXT)],
    defaultOutputModes: [TEXT],
    skills: [{ id: name, name, description, tags: ['chat'], examples: starters }],
    ...(server.auth && {
      securitySchemes: { bearer: { httpAuthSecurityScheme: SCHEME, type: 'http', ...SCHEME } },
      securityRequirements: [{ schemes: { bearer: { list: [] } } }],
      security: [{ bearer: [] }],
    }),
  };
}
