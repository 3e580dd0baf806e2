import type { ChatTurn } from '../runtime/continue-turn.ts';
import { formatPosition } from '../schema/position.ts';
import type { ServerDeps } from './deps.ts';
import { type Encoding, sseEncoding } from './encode.ts';
import { EventOutput } from './event-output.ts';
import type { HttpReply } from './http/reply.ts';
import { tellTurn } from './tell-turn.ts';
import type { Translator } from './translator.ts';

/** Holds a place among the user's streams until the response is over. Asked for before a turn is begun for it. */
export function takeStream(reply: HttpReply, { streams }: ServerDeps): void {
  const place = streams.take(reply.request.user);
  // A client may have left before.
  if (reply.raw.destroyed) place.release();
  else reply.raw.once('close', () => place.release());
}

export function openStream(reply: HttpReply, { timing }: ServerDeps, encoding: Encoding): EventOutput {
  const { contentType, keepalive } = encoding;
  return new EventOutput(reply, { contentType, ...(keepalive && { keepalive }), ...timing });
}

/** Answers a request with one turn, from its first event (or its first after an answer) to its last. */
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
  await tellTurn({
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

/** Where a reader stands who has nothing of a turn. */
export function beginningOf(turn: string): string {
  return formatPosition({ turn, attempt: 1, seq: 0, offset: 0 });
}
