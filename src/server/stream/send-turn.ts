import type { ChatTurn } from '../../runtime/turn/turn.ts';
import type { ChatResponse } from '../../schema/conversation/chat.ts';
import type { Event } from '../../schema/conversation/event.ts';
import type { ServerDeps } from '../deps.ts';
import { PROTOBUF, SSE } from '../http/encode.ts';
import { acceptsByName, wantsToGoOn } from '../http/parse.ts';
import type { HttpReply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import { createRestTranslator, toChatResponse } from '../rest/rest-out.ts';
import { streamTurn } from './open-stream.ts';
import { turnInterrupted } from './write-events.ts';

/** Responds to a REST request with a turn: 202 at once if preferred, as events, or whole at its end. */
export async function sendTurn(
  reply: HttpReply,
  deps: ServerDeps,
  { turn, streams }: { turn: ChatTurn; streams: boolean },
): Promise<unknown> {
  if (await acceptTurn(reply, turn)) return;
  return sendWhole(reply, deps, { turn, streams: wantsEvents(reply.request, streams) });
}

/** Responds with a turn up to its end: as events or as one answer. */
export async function sendWhole(
  reply: HttpReply,
  deps: ServerDeps,
  { turn, streams }: { turn: ChatTurn; streams: boolean },
): Promise<unknown> {
  if (!streams) return answerTurn(turn, reply);
  return streamTurn(reply, deps, { turn, translator: createRestTranslator(turn.conversationId) });
}

/** Whether a REST request is answered with events; `streams` = its path or Accept header asks for them. */
export function wantsEvents(request: HttpRequest, streams: boolean): boolean {
  return wantsToGoOn(request) ? acceptsByName(request, SSE) : streams;
}

/**
 * RFC 7240: sends 202 for a turn that continues by itself, with the URL of its events. Returns false if the request
 * does not prefer that, or names event streams; then the turn is streamed.
 */
export async function acceptTurn(reply: HttpReply, turn: ChatTurn, runId?: string): Promise<boolean> {
  if (!wantsToGoOn(reply.request)) return false;
  reply.header('preference-applied', 'respond-async');
  if (acceptsByName(reply.request, SSE) || acceptsByName(reply.request, PROTOBUF)) return false;
  const { conversationId: session_id, turnId: turn_id, status } = turn;
  noteTurn(turn, reply);
  await turn.events.return?.();
  reply.code(202).header('location', `${reply.request.base}/sessions/${session_id}/events`);
  reply.send({ session_id, turn_id, ...(runId !== undefined && { run_id: runId }), status });
  return true;
}

/** Returns the whole turn as one response, or undefined if the client left before its end. */
async function answerTurn(turn: ChatTurn, reply: HttpReply): Promise<ChatResponse | undefined> {
  noteTurn(turn, reply);
  const last = await readLast(turn, reply);
  if (last?.type === 'turn-end' || last?.type === 'turn-wait') return toChatResponse(last.result, turn.conversationId);
  if (reply.sink.isClosed) return undefined;
  throw turnInterrupted();
}

function noteTurn({ conversationId, turnId }: ChatTurn, { request: { facts } }: HttpReply): void {
  facts.session_id = conversationId;
  facts.turn_id = turnId;
}

async function readLast({ events, pausesAt }: ChatTurn, reply: HttpReply): Promise<Event | undefined> {
  const leave = () => void events.return?.();
  // A client may have left while the turn was starting.
  if (reply.sink.isClosed) leave();
  else reply.sink.onClose(leave);
  let last: Event | undefined;
  for await (const event of events) {
    last = event;
    if (pausesAt?.(event)) break;
  }
  return last;
}
