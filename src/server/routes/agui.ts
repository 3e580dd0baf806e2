import type { AgentCapabilities } from '@ag-ui/core';
import { AppError } from '../../errors.ts';
import type { ChatTurn } from '../../runtime/continue-turn.ts';
import type { Agent } from '../../schema/agent.ts';
import { ConversationId } from '../../schema/ids.ts';
import { isObject } from '../../schema/json.ts';
import type { User } from '../../schema/user.ts';
import type { StoredTurn } from '../../store/store.ts';
import {
  answersOf,
  clientToolsOf,
  contextOf,
  earlierMessages,
  keyOfRun,
  RunInput,
  refuseStrayEntries,
  trailingMessage,
  wantsReasoning,
} from '../agui-in.ts';
import { createAguiTranslator } from '../agui-out.ts';
import type { ServerDeps } from '../deps.ts';
import { openProtobufEncoding, PROTOBUF, SSE, sseEncoding } from '../encode.ts';
import type { HttpApp } from '../http/app.ts';
import type { HttpReply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import { streamTurn, takeStream } from '../open-stream.ts';
import { invalidAt, parseRequest } from '../parse.ts';
import { acceptsByName, readKey, readTrace, wantsToGoOn } from '../request-headers.ts';
import { acceptTurn } from '../send-turn.ts';
import { findAgent } from './agents.ts';

interface AgentRoute {
  name?: string;
}

export function addAguiRoutes(app: HttpApp, deps: ServerDeps): void {
  const { runtime } = deps;
  const agentOf = (request: HttpRequest<AgentRoute>): Agent => {
    const { name } = request.params;
    if (name !== undefined) return findAgent(runtime, name);
    const [only, ...others] = runtime.agents;
    if (only && others.length === 0) return only;
    throw new AppError('not_found', { detail: 'Several agents are served here: use /agent/{name}/awp.' });
  };
  const run = async (request: HttpRequest<AgentRoute>, reply: HttpReply) => {
    if (streamsRun(request)) takeStream(reply, deps);
    const { runId, ...told } = await openRun(deps, request, agentOf(request));
    if (await acceptTurn(reply, told.turn, runId)) return;
    const encoding = acceptsByName(request, PROTOBUF) ? await openProtobufEncoding() : sseEncoding;
    await streamTurn(reply, deps, { ...told, encoding });
  };
  app.post('/awp', run);
  app.post('/agent/:name/awp', run);
  const capabilities = async (request: HttpRequest<AgentRoute>) => describe(agentOf(request));
  app.get('/awp/capabilities', capabilities);
  app.get('/agent/:name/awp/capabilities', capabilities);
}

/** Any run but one that prefers 202 and names no kind of stream. */
function streamsRun(request: HttpRequest): boolean {
  return !wantsToGoOn(request) || acceptsByName(request, SSE) || acceptsByName(request, PROTOBUF);
}

interface Run {
  agent: Agent;
  input: RunInput;
}

/** What is sent for a run, often all that was ever said, is let go when its turn has begun. */
async function openRun(deps: ServerDeps, request: HttpRequest, agent: Agent) {
  const input = parseRequest(RunInput, request.takeBody());
  const { threadId, runId } = input;
  const turn = await beginTurn(deps, request, { agent, input });
  const translator = createAguiTranslator({
    threadId,
    conversationId: turn.conversationId,
    runIdOf: () => runId,
    isOld: input.protocolVersion == null,
    hasState: isObject(input.state),
    withReasoning: deps.server.agui_reasoning && wantsReasoning(input),
  });
  return { turn, translator, runId };
}

/** A run brings a message, or the answers that its thread's turn waits for; the same run sent again is the same turn. */
async function beginTurn(deps: ServerDeps, request: HttpRequest, { agent, input }: Run): Promise<ChatTurn> {
  const { runtime } = deps;
  const { user } = request;
  const idempotencyKey = keyOfRun(input);
  const trailing = trailingMessage(input);
  const clientTools = clientToolsOf(input);
  // The run's own ids are its key; the header only asks that the turn continues.
  const keepsGoing = wantsToGoOn(request) || readKey(request) !== undefined;
  const thread = await findThread(deps, user, { agent, input });
  const newest = thread.id ? await runtime.readNewestTurn(user, thread.id) : undefined;
  const shared = { clientTools, context: contextOf(input), idempotencyKey, keepsGoing, ...readTrace(request) };
  if (deps.debug && trailing) request.facts.message = trailing.message;
  deps.takeTurn(user);
  const isWaiting = newest?.status === 'waiting';
  const isOther = newest !== undefined && newest.idempotency_key !== idempotencyKey;
  const answers = isWaiting && isOther ? await readAnswers(deps, user, newest, input) : [];
  if (isOther) {
    const isAnswer = trailing === undefined && (answers.length > 0 || !isWaiting);
    if (isAnswer) {
      const input = { ...shared, conversationId: newest.conversation_id, answers };
      return runtime.answer(user, input).catch((error: unknown) => {
        throw answers.length === 0 && isCode(error, 'invalid_request') ? nothingNew() : error;
      });
    }
  }
  if (!trailing) throw nothingNew();
  if (!isWaiting && newest?.idempotency_key !== idempotencyKey) refuseStrayEntries(input, new Set());
  const history = thread.id === undefined ? { history: earlierMessages(input) } : {};
  const message = { agent: agent.name, ...trailing, ...thread.target, ...history };
  return runtime.chat(user, { ...shared, ...message, results: answers });
}

/** An own ULID is that conversation; any other text is a thread of this user and agent, known or new. */
async function findThread({ runtime }: ServerDeps, user: User, { agent, input }: Run) {
  const { threadId } = input;
  const parsed = threadId.length === 26 ? ConversationId.safeParse(threadId) : undefined;
  const own = parsed?.success ? await runtime.readConversation(user, parsed.data) : undefined;
  if (own?.agent === agent.name) return { id: own.id, target: { conversationId: own.id } };
  const known = await runtime.readThread(user, agent.name, threadId);
  return { id: known?.id, target: { threadId } };
}

async function readAnswers({ runtime }: ServerDeps, user: User, turn: StoredTurn, input: RunInput) {
  return answersOf(input, await runtime.readEvents(user, turn.id));
}

function nothingNew(): AppError {
  const message = 'must end with a message of the user, or answer what the thread waits for';
  return invalidAt({ path: ['messages'], message });
}

function isCode(error: unknown, code: AppError['code']): boolean {
  return error instanceof AppError && error.code === code;
}

function describe(agent: Agent): AgentCapabilities {
  return {
    identity: { name: agent.name, type: 'holodeck', ...(agent.description && { description: agent.description }) },
    transport: { streaming: true, websocket: false, httpBinary: true, pushNotifications: false, resumable: true },
    tools: { supported: true, parallelCalls: true, clientProvided: true },
    state: { snapshots: true, deltas: true, memory: false, persistentState: false },
    multiAgent: { supported: false },
    reasoning: { supported: agent.server.agui_reasoning, streaming: agent.server.agui_reasoning, encrypted: false },
    multimodal: { input: { image: true, audio: false, video: false, pdf: true, file: true } },
    execution: {
      codeExecution: false,
      maxIterations: agent.loop.max_iterations,
      maxExecutionTime: agent.loop.answer_timeout_seconds * 1000,
    },
    humanInTheLoop: { supported: true, approvals: true, interrupts: true, approveWithEdits: false },
  };
}
