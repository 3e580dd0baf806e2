import * as z from 'zod';
import { toAppError } from '../../errors.ts';
import type { FollowedTurn } from '../../runtime/follow.ts';
import type { Conversation } from '../../schema/conversation.ts';
import { formatPosition } from '../../schema/position.ts';
import { runIdOfKey } from '../agui-in.ts';
import { createAguiTranslator } from '../agui-out.ts';
import type { ServerDeps } from '../deps.ts';
import { sseEncoding } from '../encode.ts';
import { CUT_PART, parseReaderPosition, type ReaderPosition } from '../event-id.ts';
import type { EventOutput } from '../event-output.ts';
import type { HttpApp } from '../http/app.ts';
import type { HttpRequest } from '../http/request.ts';
import { beginningOf, openStream, takeStream } from '../open-stream.ts';
import { parseRequest } from '../parse.ts';
import { createRestTranslator } from '../rest-out.ts';
import { sendFrames, tellTurn, turnInterrupted } from '../tell-turn.ts';
import type { Translator } from '../translator.ts';
import { sessionId } from './sessions.ts';

export const EventsQuery = z.strictObject({
  format: z.enum(['rest', 'ag-ui']).default('rest'),
  follow: z.enum(['0', '1']).default('0'),
});

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
    // The first step finds the conversation; until then a problem can still be answered.
    const first = follow === '1' ? await turns.next() : await skipTold(turns, reader);
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
    const open = translatorFor(format, { conversationId, conversation, withReasoning });
    try {
      for (
        let next: IteratorResult<FollowedTurn, void> = first;
        !next.done && !output.isClosed;
        next = await turns.next()
      ) {
        // A reader who stays is there when the question is answered.
        const { pausesAt, ...turn } = next.value;
        const told = follow === '1' || !pausesAt ? turn : { ...turn, pausesAt };
        await tellFollowed(told, { request, deps, output, translator: open(told), reader });
      }
      await turns.return();
    } catch (error) {
      // The response has begun: between two turns its end is all that can be told.
      request.facts.error = toAppError(error).code;
    }
    output.end();
  });
}

/** The first turn of which the reader does not have everything. */
async function skipTold(turns: AsyncGenerator<FollowedTurn, void>, reader: ReaderPosition | undefined) {
  let next = await turns.next();
  while (!next.done && hasEverything(next.value, reader)) {
    await next.value.events.return?.();
    next = await turns.next();
  }
  return next;
}

/** A reader who got the frame of a cut turn has its interruption. */
function hasEverything({ turnId, rest, isAhead }: FollowedTurn, reader: ReaderPosition | undefined): boolean {
  if (reader?.position.turn !== turnId || !rest || isAhead) return false;
  return rest.every((event) => reader.part === CUT_PART && event.type === 'turn-interrupt');
}

function readerPosition(request: HttpRequest): ReaderPosition | undefined {
  const id = request.headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? parseReaderPosition(id) : undefined;
}

interface Told {
  conversationId: string;
  conversation: Conversation | undefined;
  withReasoning: boolean;
}

/** One translator for all attempts at a turn: it knows what it has told. */
function translatorFor(format: 'rest' | 'ag-ui', { conversationId, conversation, withReasoning }: Told) {
  return (turn: FollowedTurn): Translator => {
    if (format === 'rest') return createRestTranslator(conversationId);
    const threadId = conversation?.thread_id ?? conversationId;
    return createAguiTranslator({
      threadId,
      conversationId,
      isFollower: true,
      withReasoning,
      runIdOf: (turnId, resume) => runIdOfKey(resume ? resume.key : turn.key) ?? resume?.id ?? turnId,
    });
  };
}

interface TellFollowed {
  request: HttpRequest;
  deps: ServerDeps;
  output: EventOutput;
  translator: Translator;
  reader: ReaderPosition | undefined;
}

async function tellFollowed(turn: FollowedTurn, { request, deps, output, translator, reader }: TellFollowed) {
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
  await tellTurn({ events, pausesAt, translator, encoding: sseEncoding, output, lastId, part, readHistory });
}
