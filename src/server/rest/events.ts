import { toAppError } from '../../errors.ts';
import type { FollowedTurn } from '../../runtime/live/follow.ts';
import type { Conversation } from '../../schema/conversation/conversation.ts';
import { formatPosition } from '../../schema/position.ts';
import { EventsQuery } from '../../schema/requests.ts';
import { runIdOfKey } from '../agui/agui-in.ts';
import { createAguiTranslator } from '../agui/agui-out.ts';
import type { ReadState } from '../agui/agui-state.ts';
import { stateReaderOf } from '../agui/read-state.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import { sseEncoding } from '../http/encode.ts';
import { parseRequest } from '../http/parse.ts';
import type { HttpRequest } from '../http/request.ts';
import type { EventOutput } from '../stream/event-output.ts';
import { beginningOf, openStream, takeStream } from '../stream/open-stream.ts';
import type { Translator } from '../stream/translator.ts';
import {
  CUT_PART,
  parseReaderPosition,
  type ReaderPosition,
  sendFrames,
  turnInterrupted,
  writeTurnEvents,
} from '../stream/write-events.ts';
import { createRestTranslator } from './rest-out.ts';
import { sessionId } from './sessions.ts';

export function addEventRoutes(app: HttpApp, deps: ServerDeps): void {
  const { runtime } = deps;

  app.get<{ id: string }>('/sessions/:id/events', async (request, reply) => {
    const conversationId = sessionId(request);
    const { format, follow } = parseRequest(EventsQuery, request.query);
    const reader = readerPosition(request);
    takeStream(reply, deps);
    const left = new AbortController();
    const turns = runtime.follow(request.user, {
      conversationId,
      ...(reader && { after: reader.position }),
      stays: follow === '1',
      signal: AbortSignal.any([left.signal, deps.stopping]),
    });
    // The first step looks up the conversation; until then a problem document can still be sent.
    const first = follow === '1' ? await turns.next() : await skipReceived(turns, reader);
    const conversation = await runtime.readConversation(request.user, conversationId);
    await runtime.touchConversation(request.user, conversationId);
    if (first.done) return reply.code(204).send();
    if (request.method === 'HEAD') {
      await first.value.events.return?.();
      await turns.return();
      return reply.type(sseEncoding.contentType).header('cache-control', 'no-store').send();
    }
    const output = openStream(reply, deps, sseEncoding);
    output.onClose(() => left.abort());
    const withReasoning = deps.server.agui_reasoning;
    const agent = runtime.agents.find(({ name }) => name === conversation?.agent);
    const readState = agent && stateReaderOf(runtime, request.user, { agent, conversationId });
    const open = translatorFor(format, { conversationId, conversation, withReasoning, readState });
    try {
      for (
        let next: IteratorResult<FollowedTurn, void> = first;
        !next.done && !output.isClosed;
        next = await turns.next()
      ) {
        // A reader that follows is still connected when the question is answered.
        const { pausesAt, ...turn } = next.value;
        const sent = follow === '1' || !pausesAt ? turn : { ...turn, pausesAt };
        await sendFollowed(sent, { request, deps, output, translator: open(sent), reader });
      }
      await turns.return();
    } catch (error) {
      // The response has begun: between two turns it can only be ended.
      request.facts.error = toAppError(error).code;
    }
    output.end();
  });
}

/** The first turn that the reader does not have completely. */
async function skipReceived(turns: AsyncGenerator<FollowedTurn, void>, reader: ReaderPosition | undefined) {
  let next = await turns.next();
  while (!next.done && hasEverything(next.value, reader)) {
    await next.value.events.return?.();
    next = await turns.next();
  }
  return next;
}

/** A reader that received the frame of a cut-off turn already has its interruption. */
function hasEverything({ turnId, rest, isAhead }: FollowedTurn, reader: ReaderPosition | undefined): boolean {
  if (reader?.position.turn !== turnId || !rest || isAhead) return false;
  return rest.every((event) => reader.part === CUT_PART && event.type === 'turn-interrupt');
}

function readerPosition(request: HttpRequest): ReaderPosition | undefined {
  const id = request.headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? parseReaderPosition(id) : undefined;
}

interface TranslatorInput {
  conversationId: string;
  conversation: Conversation | undefined;
  withReasoning: boolean;
  readState: ReadState | undefined;
}

/** The same translator serves all attempts at a turn, because it tracks the frames sent so far. */
function translatorFor(
  format: 'rest' | 'ag-ui',
  { conversationId, conversation, withReasoning, readState }: TranslatorInput,
) {
  return (turn: FollowedTurn): Translator => {
    if (format === 'rest') return createRestTranslator(conversationId);
    const threadId = conversation?.thread_id ?? conversationId;
    return createAguiTranslator({
      threadId,
      conversationId,
      isFollower: true,
      withReasoning,
      readState,
      runIdOf: (turnId, resume) => runIdOfKey(resume ? resume.key : turn.key) ?? resume?.id ?? turnId,
    });
  };
}

interface FollowedOutput {
  request: HttpRequest;
  deps: ServerDeps;
  output: EventOutput;
  translator: Translator;
  reader: ReaderPosition | undefined;
}

async function sendFollowed(turn: FollowedTurn, { request, deps, output, translator, reader }: FollowedOutput) {
  request.facts.turn_id = turn.turnId;
  for (const event of turn.before) translator.skip(event);
  const isReaders = reader !== undefined && reader.position.turn === turn.turnId;
  const lastId = turn.before.at(-1)?.id ?? (isReaders ? formatPosition(reader.position) : beginningOf(turn.turnId));
  const readHistory = () => deps.runtime.readMessages(request.user, turn.conversationId, { exceptTurn: turn.turnId });
  const isCut = isReaders && reader.part === CUT_PART;
  if (isCut) translator.end(turnInterrupted);
  if (turn.isAhead) {
    translator.setHistory(await readHistory());
    sendFrames({ output, encoding: sseEncoding, lastId }, translator.reset(turnInterrupted));
  }
  const part = isReaders && !turn.isAhead && !isCut ? reader.part : 0;
  const { events, pausesAt } = turn;
  await writeTurnEvents({ events, pausesAt, translator, encoding: sseEncoding, output, lastId, part, readHistory });
}
