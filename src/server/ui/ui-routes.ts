import { foldEvents } from '../../agent/turn-state.ts';
import { systemIds } from '../../ids.ts';
import type { AttachedFile } from '../../runtime/files/attached-file.ts';
import { MAX_TAKEN } from '../../runtime/turn/caller-history.ts';
import type { ChatTurn } from '../../runtime/turn/turn.ts';
import type { Agent } from '../../schema/agent.ts';
import type { CallAnswer, Event } from '../../schema/conversation/event.ts';
import type { FileContent } from '../../schema/file.ts';
import { UiMessage, type UiPart, UiRequest } from '../../schema/fronts/ui.ts';
import { isObject } from '../../schema/json.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import { parseRequest, readKey, readTrace, wantsToGoOn } from '../http/parse.ts';
import type { HttpReply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import { addressedFile, decodeFiles, type UnreadFile } from '../rest/attachments.ts';
import { findAgent } from '../routes/agents.ts';
import { streamTurn, takeStream } from '../stream/open-stream.ts';
import { createUiTranslator, UI_HEADERS, uiEncoding } from './ui-out.ts';

const KEY_PREFIX = 'ui:';

/** The AI SDK's UI message stream, for `useChat`. */
export function addUiRoutes(app: HttpApp, deps: ServerDeps): void {
  app.post<{ name: string }>('/agent/:name/ui', async (request, reply) => {
    takeStream(reply, deps);
    const turn = await beginTurn(deps, request, findAgent(deps.runtime, request.params.name));
    await sendUiTurn(reply, deps, turn);
  });

  app.get<{ name: string; id: string }>('/agent/:name/ui/:id/stream', async (request, reply) => {
    takeStream(reply, deps);
    const turn = await findRunning(deps, request);
    if (turn && request.method === 'GET') return sendUiTurn(reply, deps, turn);
    await turn?.events.return?.();
    return reply.code(turn ? 200 : 204).send();
  });
}

function sendUiTurn(reply: HttpReply, deps: ServerDeps, turn: ChatTurn): Promise<void> {
  const { turnId, conversationId } = turn;
  const translator = createUiTranslator({ turnId, conversationId, withReasoning: deps.server.agui_reasoning });
  reply.headers(UI_HEADERS);
  return streamTurn(reply, deps, { turn, translator, encoding: uiEncoding });
}

/** The chat's newest turn from its first event, if it runs now. */
async function findRunning(
  { runtime, stopping: signal }: ServerDeps,
  { user, params }: HttpRequest<{ name: string; id: string }>,
): Promise<ChatTurn | undefined> {
  const { name } = findAgent(runtime, params.name);
  const own = await runtime.readConversation(user, params.id);
  const chat = own?.agent === name ? own : await runtime.readThread(user, name, params.id);
  if (!chat || (await runtime.readNewestTurn(user, chat.id))?.status !== 'running') return undefined;
  return (await runtime.follow(user, { conversationId: chat.id, signal }).next()).value ?? undefined;
}

/** A message that the chat already has is answered again; nothing that it has done is done twice. */
async function beginTurn(deps: ServerDeps, request: HttpRequest, agent: Agent): Promise<ChatTurn> {
  const input = parseRequest(UiRequest, request.takeBody());
  const message = newMessage(input);
  if (deps.debug && message) request.facts.message = message.message;
  deps.takeTurn(request.user);
  return deps.runtime.runThread(request.user, {
    agent: agent.name,
    threadId: input.id,
    // The protocol has no id of a request.
    idempotencyKey: `${KEY_PREFIX}${systemIds.ulid()}`,
    ...(message && { message }),
    history: () => earlierMessages(input),
    answersTo: (events: readonly Event[]) => answersOf(input, events),
    keepsGoing: wantsToGoOn(request) || readKey(request) !== undefined,
    ...readTrace(request),
  });
}

interface NewMessage {
  message: string;
  files: AttachedFile[];
  clientId: string;
}

/** The new message of a request: the last one, if it is the user's. */
function newMessage({ messages }: UiRequest): NewMessage | undefined {
  const last = lastMessage(messages);
  if (last.role !== 'user') return undefined;
  const files = decodeFiles(last.parts.flatMap(fileOf));
  return { message: textOf(last.parts), files, clientId: last.id };
}

function lastMessage(messages: UiRequest['messages']): UiMessage {
  return parseRequest(UiMessage, messages.at(-1), ['messages', messages.length - 1]);
}

function textOf(parts: readonly UiPart[]): string {
  return parts.flatMap(({ type, text }) => (type === 'text' && text ? [text] : [])).join('');
}

function fileOf({ type, url = '', mediaType, filename }: UiPart, index: number): (FileContent | UnreadFile)[] {
  if (type !== 'file') return [];
  return [{ ...addressedFile(url, mediaType, ['parts', index, 'url']), ...(filename && { filename }) }];
}

/** The messages before the new one, in the shape of history. They are unchecked. */
function earlierMessages({ messages }: UiRequest): unknown[] {
  return messages
    .slice(0, -1)
    .slice(-MAX_TAKEN)
    .flatMap((message) => {
      if (!isObject(message)) return [];
      const parsed = UiMessage.safeParse(message).data;
      return [
        { role: message.role, content: parsed ? textOf(parsed.parts) : '', ...(parsed && { client_id: parsed.id }) },
      ];
    });
}

/** The answers of a request to the calls that wait: approvals in the last message, and answers beside the messages. */
function answersOf({ messages, answers = [] }: UiRequest, events: readonly Event[]): CallAnswer[] {
  if (events.length === 0) return [];
  const last = lastMessage(messages);
  const state = foldEvents(events);
  const asked = events.findLast((event) => event.type === 'turn-wait')?.calls ?? [];
  return asked.flatMap((call_id): CallAnswer[] => {
    const given = answers.filter((answer) => answer.call_id === call_id).slice(0, 1);
    if (given.length > 0 || state.waits.get(call_id)?.kind !== 'approval') return given;
    const approval = last.parts.find((part) => part.toolCallId === call_id)?.approval;
    if (approval?.approved === undefined) return [];
    const { approved, reason } = approval;
    return [{ call_id, approved, ...(reason && { reason }) }];
  });
}
