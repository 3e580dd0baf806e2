import type { Agent } from '../../schema/agent.ts';
import { ChatCompletionRequest, requestedSchema } from '../../schema/fronts/openai.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import { parseRequest } from '../http/parse.ts';
import type { HttpReply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import { streamTurn, takeStream } from '../stream/open-stream.ts';
import { namedThread } from './call-thread.ts';
import { toClientTools } from './caller-tools.ts';
import { readChatMessages } from './chat-in.ts';
import { completionEncoding, createCompletionTranslator, toCompletion } from './chat-out.ts';
import { findModel, openCall } from './open-call.ts';
import { addResponseRoutes } from './responses-routes.ts';
import { readParts } from './turn-parts.ts';

export function addOpenaiRoutes(app: HttpApp, deps: ServerDeps): void {
  const { runtime } = deps;
  app.get('/v1/models', () => ({ object: 'list', data: runtime.agents.map(describeModel) }));
  app.get<{ name: string }>('/v1/models/:name', ({ params }) => describeModel(findModel(runtime.agents, params.name)));
  app.post('/v1/chat/completions', (request, reply) => complete(deps, request, reply));
  addResponseRoutes(app, deps);
}

function describeModel({ name }: Agent): Record<string, unknown> {
  return { id: name, object: 'model', created: 0, owned_by: 'holodeck' };
}

async function complete(deps: ServerDeps, request: HttpRequest, reply: HttpReply): Promise<unknown> {
  const body = request.takeBody();
  const input = parseRequest(ChatCompletionRequest, body);
  const agent = findModel(deps.runtime.agents, input.model);
  if (input.stream) takeStream(reply, deps);
  const { tool_choice: choice } = input;
  const turn = await openCall(deps, request, {
    agent: agent.name,
    body,
    named: namedThread(request, input.metadata?.session_id),
    input: readChatMessages(input.messages),
    tools: toClientTools((input.tools ?? []).map((tool) => tool.function)),
    choice: typeof choice === 'object' && choice ? choice.function : choice,
    format: requestedSchema(input.response_format),
  });
  const { turnId, conversationId } = turn;
  const created = Math.floor(deps.clock.date().getTime() / 1000);
  const head = { turnId, conversationId, agent: agent.name, created };
  if (!input.stream) return toCompletion(head, await readParts(turn, reply));
  const translator = createCompletionTranslator(head, { withUsage: input.stream_options?.include_usage ?? false });
  return streamTurn(reply, deps, { turn, translator, encoding: completionEncoding });
}
