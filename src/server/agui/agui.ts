import type { AgentCapabilities } from '@ag-ui/core';
import { AppError } from '../../errors.ts';
import type { ChatTurn } from '../../runtime/turn/turn.ts';
import type { Agent } from '../../schema/agent.ts';
import type { Event } from '../../schema/conversation/event.ts';
import { RunAgentInput } from '../../schema/fronts/agui.ts';
import { isObject } from '../../schema/json.ts';
import { timeLimits } from '../../schema/model-limits.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import { openProtobufEncoding, PROTOBUF, SSE, sseEncoding } from '../http/encode.ts';
import { acceptsByName, parseRequest, readKey, readTrace, wantsToGoOn } from '../http/parse.ts';
import type { HttpReply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import { findAgent } from '../routes/agents.ts';
import { streamTurn, takeStream } from '../stream/open-stream.ts';
import { acceptTurn } from '../stream/send-turn.ts';
import {
  answersOf,
  clientToolsOf,
  contextOf,
  earlierMessages,
  keyOfRun,
  trailingMessage,
  wantsReasoning,
} from './agui-in.ts';
import { createAguiTranslator } from './agui-out.ts';
import { stateReaderOf } from './read-state.ts';

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
    throw new AppError('not_found', { detail: 'This server has several agents. Use /agent/{name}/awp.' });
  };
  const run = async (request: HttpRequest<AgentRoute>, reply: HttpReply) => {
    if (streamsRun(request)) takeStream(reply, deps);
    const { runId, ...opened } = await openRun(deps, request, agentOf(request));
    if (await acceptTurn(reply, opened.turn, runId)) return;
    const encoding = acceptsByName(request, PROTOBUF) ? await openProtobufEncoding() : sseEncoding;
    await streamTurn(reply, deps, { ...opened, encoding });
  };
  app.post('/awp', run);
  app.post('/agent/:name/awp', run);
  const capabilities = async (request: HttpRequest<AgentRoute>) => describe(agentOf(request));
  app.get('/awp/capabilities', capabilities);
  app.get('/agent/:name/awp/capabilities', capabilities);
}

/** True for every run except one that prefers 202 and names no stream type. */
function streamsRun(request: HttpRequest): boolean {
  return !wantsToGoOn(request) || acceptsByName(request, SSE) || acceptsByName(request, PROTOBUF);
}

interface Run {
  agent: Agent;
  input: RunAgentInput;
}

/** The body, often the whole history, is released once its turn has begun. */
async function openRun(deps: ServerDeps, request: HttpRequest, agent: Agent) {
  const input = parseRequest(RunAgentInput, request.takeBody());
  const { threadId, runId } = input;
  const turn = await beginTurn(deps, request, { agent, input });
  const translator = createAguiTranslator({
    threadId,
    conversationId: turn.conversationId,
    runIdOf: () => runId,
    isOld: input.protocolVersion == null,
    hasState: isObject(input.state),
    readState: stateReaderOf(deps.runtime, request.user, { agent, conversationId: turn.conversationId }),
    streamsArguments: true,
    withReasoning: deps.server.agui_reasoning && wantsReasoning(input),
  });
  return { turn, translator, runId };
}

/** Translates a run for the runtime, which decides whether it is a message or an answer. */
async function beginTurn(deps: ServerDeps, request: HttpRequest, { agent, input }: Run): Promise<ChatTurn> {
  const message = trailingMessage(input);
  const run = {
    agent: agent.name,
    threadId: input.threadId,
    idempotencyKey: keyOfRun(input),
    ...(message && { message }),
    history: () => earlierMessages(input),
    answersTo: (events: readonly Event[]) => answersOf(input, events),
    clientTools: clientToolsOf(input),
    context: contextOf(input),
    // The run's ids are its key; the header only requests that the turn continues.
    keepsGoing: wantsToGoOn(request) || readKey(request) !== undefined,
    ...readTrace(request),
  };
  if (deps.debug && message) request.facts.message = message.message;
  deps.takeTurn(request.user);
  return deps.runtime.runThread(request.user, run);
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
      maxExecutionTime: timeLimits(agent).answer * 1000,
    },
    humanInTheLoop: { supported: true, approvals: true, interrupts: true, approveWithEdits: false },
  };
}
