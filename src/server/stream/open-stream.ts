import type { ChatTurn } from '../../runtime/turn/turn.ts';
import { formatPosition } from '../../schema/position.ts';
import type { ServerDeps } from '../deps.ts';
import { type Encoding, sseEncoding } from '../http/encode.ts';
import type { HttpReply } from '../http/reply.ts';
import { EventOutput } from './event-output.ts';
import type { Translator } from './translator.ts';
import { writeTurnEvents } from './write-events.ts';

/** Takes a place among the user's streams until the response ends. Called before its turn begins. */
export function takeStream(reply: HttpReply, { streams }: ServerDeps): void {
  const place = streams.take(reply.request.user);
  // A client may have left already.
  if (reply.sink.isClosed) place.release();
  else reply.sink.onClose(() => place.release());
}

export function openStream(reply: HttpReply, { timing }: ServerDeps, encoding: Encoding): EventOutput {
  const { contentType, keepalive } = encoding;
  return new EventOutput(reply, { contentType, ...(keepalive && { keepalive }), ...timing });
}

/** Responds with one turn, from its first event (or its first after an answer) to its last. */
export async function streamTurn(
  reply: HttpReply,
  deps: ServerDeps,
  options: { turn: ChatTurn; translator: Translator; encoding?: Encoding },
): Promise<void> {
  const { turn, translator, encoding = sseEncoding } = options;
  const { user, facts } = reply.request;
  facts.session_id = turn.conversationId;
  facts.turn_id = turn.turnId;
  const output = openStream(reply, deps, encoding);
  for (const event of turn.before) translator.skip(event);
  await writeTurnEvents({
    events: turn.events,
    pausesAt: turn.pausesAt,
    translator,
    encoding,
    output,
    lastId: turn.before.at(-1)?.id ?? beginningOf(turn.turnId),
    readHistory: () => deps.runtime.readMessages(user, turn.conversationId, { exceptTurn: turn.turnId }),
  });
  output.end();
}

/** The position of a reader that has nothing of a turn. */
export function beginningOf(turn: string): string {
  return formatPosition({ turn, attempt: 1, seq: 0, offset: 0 });
}
