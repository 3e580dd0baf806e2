import { discardFiles } from '../../runtime/attached-file.ts';
import type { ChatInput } from '../../runtime/chat.ts';
import type { ChatTurn } from '../../runtime/continue-turn.ts';
import { ChatRequest } from '../../schema/chat.ts';
import { decodeFiles } from '../attachments.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import type { HttpRequest } from '../http/request.ts';
import { Form } from '../multipart.ts';
import { takeStream } from '../open-stream.ts';
import { parseRequest, withoutNulls } from '../parse.ts';
import { readKey, readTrace, wantsToGoOn } from '../request-headers.ts';
import { sendTurn, wantsEvents } from '../send-turn.ts';

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

function toInput(request: HttpRequest<AgentRoute>, body: unknown): ChatInput {
  const isForm = body instanceof Form;
  const {
    message,
    session_id,
    files: inline = [],
  } = parseRequest(ChatRequest, isForm ? body.fields : withoutNulls(body));
  const files = isForm ? body.files : decodeFiles(inline);
  const idempotencyKey = readKey(request);
  const keepsGoing = wantsToGoOn(request);
  return {
    agent: request.params.name,
    message,
    ...(session_id && { conversationId: session_id }),
    ...(idempotencyKey && { idempotencyKey }),
    ...(keepsGoing && { keepsGoing }),
    ...readTrace(request),
    ...(files.length > 0 && { files }),
  };
}
