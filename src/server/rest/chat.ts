import { discardFiles } from '../../runtime/files/attached-file.ts';
import type { ChatInput } from '../../runtime/turn/chat.ts';
import type { ChatTurn } from '../../runtime/turn/turn.ts';
import { ChatRequest } from '../../schema/conversation/chat.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import { Form } from '../http/multipart.ts';
import { invalidAt, parseRequest, readKey, readTrace, wantsToGoOn, withoutNulls } from '../http/parse.ts';
import type { HttpRequest } from '../http/request.ts';
import { takeStream } from '../stream/open-stream.ts';
import { sendTurn, wantsEvents } from '../stream/send-turn.ts';
import { decodeFiles } from './attachments.ts';

interface AgentRoute {
  name: string;
}

export function addChatRoutes(app: HttpApp, deps: ServerDeps): void {
  const add = (path: string, streams: boolean) =>
    app.post<AgentRoute>(path, async (request, reply) => {
      const turn = await beginTurn(request, deps, () => wantsEvents(request, streams) && takeStream(reply, deps));
      return sendTurn(reply, deps, { turn, streams });
    });
  add('/agent/:name/chat', false);
  add('/agent/:name/chat/stream', true);
}

async function beginTurn(request: HttpRequest<AgentRoute>, deps: ServerDeps, admit: () => unknown): Promise<ChatTurn> {
  const body = request.takeBody();
  try {
    const input = toInput(request, body);
    if (deps.debug) request.facts.message = input.message;
    admit();
    deps.takeTurn(request.user);
    return await deps.runtime.chat(request.user, input);
  } catch (error) {
    if (body instanceof Form) await discardFiles(body.files);
    throw error;
  }
}

const ONLY_NEW = 'is for a new conversation; use PATCH /sessions/{id} for this one';

function toInput(request: HttpRequest<AgentRoute>, body: unknown): ChatInput {
  const isForm = body instanceof Form;
  const {
    message,
    session_id,
    response_format: responseFormat,
    metadata: ownMetadata,
    files: inline = [],
  } = parseRequest(ChatRequest, isForm ? body.fields : withoutNulls(body));
  if (session_id && ownMetadata) throw invalidAt({ path: ['metadata'], message: ONLY_NEW });
  const files = isForm ? body.files : decodeFiles(inline);
  const idempotencyKey = readKey(request);
  const keepsGoing = wantsToGoOn(request);
  return {
    agent: request.params.name,
    message,
    ...(session_id && { conversationId: session_id }),
    ...(responseFormat && { responseFormat }),
    ...(ownMetadata && { ownMetadata }),
    ...(idempotencyKey && { idempotencyKey }),
    ...(keepsGoing && { keepsGoing }),
    ...readTrace(request),
    ...(files.length > 0 && { files }),
  };
}
