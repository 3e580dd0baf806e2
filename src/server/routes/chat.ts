import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AppError } from '../../errors.ts';
import type { ChatInput } from '../../runtime/chat.ts';
import type { ChatTurn } from '../../runtime/continue-turn.ts';
import { ChatRequest } from '../../schema/chat.ts';
import type { Event } from '../../schema/event.ts';
import type { ServerDeps } from '../deps.ts';
import { toChatResponse, toRestFrames } from '../rest-out.ts';
import { openSse } from '../sse.ts';

interface AgentRoute {
  Params: { name: string };
}

export function addChatRoutes(app: FastifyInstance, { runtime, identify }: ServerDeps): void {
  app.post<AgentRoute>('/agent/:name/chat', async (request, reply) => {
    const turn = await runtime.chat(identify(request), toInput(request));
    const last = await lastEvent(turn, reply);
    if (last?.type !== 'turn-end' && last?.type !== 'turn-wait') return reply;
    return reply.send(toChatResponse(last.result, turn.conversationId));
  });

  app.post<AgentRoute>('/agent/:name/chat/stream', async (request, reply) => {
    const turn = await runtime.chat(identify(request), toInput(request));
    await streamTurn(turn, reply);
  });
}

function toInput(request: FastifyRequest<AgentRoute>): ChatInput {
  const parsed = ChatRequest.safeParse(request.body);
  if (!parsed.success) throw invalidBody(parsed.error);
  const { message, session_id: conversationId, files } = parsed.data;
  if (files?.length) {
    throw new AppError('invalid_request', {
      detail: 'files are not supported yet',
      problems: [{ path: 'files', message: 'not supported yet' }],
    });
  }
  const key = request.headers['idempotency-key'];
  const keepsGoing = String(request.headers.prefer ?? '').includes('respond-async');
  return {
    agent: request.params.name,
    message,
    ...(conversationId && { conversationId }),
    ...(typeof key === 'string' && key !== '' && { idempotencyKey: key }),
    ...(keepsGoing && { keepsGoing }),
  };
}

function invalidBody(error: z.ZodError): AppError {
  const problems = error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  const detail = problems.map(({ path, message }) => `${path || 'body'}: ${message}`).join('; ');
  return new AppError('invalid_request', { detail, problems });
}

/** The event that ends the turn, or nothing when the client left before. */
async function lastEvent({ events }: ChatTurn, reply: FastifyReply): Promise<Event | undefined> {
  reply.raw.once('close', () => void events.return?.());
  let last: Event | undefined;
  for await (const event of events) last = event;
  return last;
}

async function streamTurn({ events, conversationId }: ChatTurn, reply: FastifyReply): Promise<void> {
  const stream = openSse(reply);
  stream.closed.then(() => events.return?.());
  for await (const event of events) await stream.write(event.id, toRestFrames(event, conversationId));
  stream.end();
}
