import type { Agent } from '../../schema/agent.ts';
import type { TokenUsage } from '../../schema/conversation/token-usage.ts';
import { ChatCompletionRequest, requestedSchema } from '../../schema/fronts/openai.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import { type Encoding, sseEncoding } from '../http/encode.ts';
import { parseRequest } from '../http/parse.ts';
import type { HttpReply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import { streamTurn, takeStream } from '../stream/open-stream.ts';
import type { StreamFrame, Translator } from '../stream/translator.ts';
import { namedThread } from './call-thread.ts';
import { toClientTools } from './caller-tools.ts';
import { readChatMessages } from './chat-in.ts';
import { findModel, openCall } from './open-call.ts';
import { toTurnError } from './openai-error.ts';
import { addResponseRoutes } from './responses-routes.ts';
import { createTurnParts, readParts, type TurnPart } from './turn-parts.ts';

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

/** The ids of a completion. */
interface CompletionHead {
  turnId: string;
  conversationId: string;
  agent: string;
  /** Seconds. */
  created: number;
}

const DONE = '[DONE]';

/** OpenAI's event stream: data only, and a last line that is no JSON. */
const completionEncoding: Encoding = {
  ...sseEncoding,
  encode: (_id, { name, data }) => (name === DONE ? `data: ${DONE}\n\n` : `data: ${JSON.stringify(data)}\n\n`),
};

function createCompletionTranslator(head: CompletionHead, options: { withUsage: boolean }): Translator {
  const turn = createTurnParts(head.turnId, head.conversationId);
  let calls = 0;
  const chunk = (choices: object[], more: object = {}): StreamFrame => ({
    data: { ...headOf(head, 'chat.completion.chunk'), choices, ...more },
  });
  const delta = (value: object, finish_reason: string | null = null): StreamFrame =>
    chunk([{ index: 0, delta: value, logprobs: null, finish_reason }]);
  const toFrames = (part: TurnPart): StreamFrame[] => {
    switch (part.kind) {
      case 'start':
        return [delta({ role: 'assistant', content: '' })];
      case 'text':
        return [delta({ content: part.text })];
      case 'call': {
        const { id, name, arguments: args } = part.call;
        return [delta({ tool_calls: [{ index: calls++, id, type: 'function', function: { name, arguments: args } }] })];
      }
      case 'end': {
        const usage = options.withUsage ? [chunk([], { usage: toUsage(part.usage) })] : [];
        // Clients join the texts of a field, so that the name is sent once.
        return [delta({ ...(part.agent && { name: part.agent }) }, part.reason), ...usage, { name: DONE, data: {} }];
      }
      case 'failure':
        return [{ data: { ...toTurnError(part.error) } }, { name: DONE, data: {} }];
    }
  };
  return {
    skip: turn.skip,
    frames: (event) => turn.parts(event).flatMap(toFrames),
    needsHistory: () => false,
    setHistory: () => {},
    reset: (error) => turn.cut(error).flatMap(toFrames),
    end: (error) => turn.cut(error).flatMap(toFrames),
  };
}

/** The parts of a whole turn as one completion. */
function toCompletion(head: CompletionHead, parts: readonly TurnPart[]): Record<string, unknown> {
  const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
  const tool_calls = parts.flatMap((part) => {
    if (part.kind !== 'call') return [];
    const { id, name, arguments: args } = part.call;
    return [{ id, type: 'function', function: { name, arguments: args } }];
  });
  const end = parts.find((part) => part.kind === 'end');
  const message = {
    role: 'assistant',
    ...(end?.agent && { name: end.agent }),
    content: text === '' && tool_calls.length > 0 ? null : text,
    refusal: null,
    ...(tool_calls.length > 0 && { tool_calls }),
  };
  return {
    ...headOf(head, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: end?.reason ?? 'stop' }],
    usage: toUsage(end?.usage),
  };
}

function headOf({ turnId, conversationId, agent, created }: CompletionHead, object: string): Record<string, unknown> {
  return { id: `chatcmpl-${turnId}`, object, created, model: agent, session_id: conversationId };
}

/** Tokens in the names of chat completions. The built-in model counts none. `cost` is in dollars, as OpenRouter has it. */
function toUsage(usage: TokenUsage | undefined): Record<string, unknown> {
  const { prompt_tokens = 0, completion_tokens = 0, total_tokens = 0, cached_tokens, cost_usd } = usage ?? {};
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens,
    ...(cached_tokens !== undefined && { prompt_tokens_details: { cached_tokens } }),
    ...(cost_usd !== undefined && { cost: cost_usd }),
  };
}
