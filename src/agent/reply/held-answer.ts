import type { Event, EventBody, Rejected } from '../../schema/conversation/event.ts';
import type { Intent } from '../../schema/domain.ts';
import type { JsonObject } from '../../schema/json.ts';
import { isHeld, runOnAnswer } from '../run-plugins.ts';
import type { RunningTurn } from '../running-turn.ts';
import { applyEvent } from '../turn-state.ts';

export { isHeld };

/** The parts of a reply that a check before sending reads and changes. */
export interface HeldReply {
  /** Text that is held back until it is checked, for a required format or a plugin; undefined if nothing is held. */
  held: string | undefined;
  /** The draft that was not sent, and the reason. */
  replaced?: Rejected;
  /** The plugin that had to see the answer failed. */
  isUnseen?: boolean;
  intents: Intent[];
  metadata: JsonObject;
}

const HELD = 'The answer is checked before it is shown.';

/** Sends one notice per attempt: a held answer looks like a model that is silent. */
export function* noteHold({ hold, deps }: RunningTurn): Generator<Event, void> {
  if (!hold || hold.isNoted) return;
  hold.isNoted = true;
  yield deps.journal.note({ type: 'notice', text: HELD });
}

/** Sends the text in place of what was held. */
export function* showHeld(
  { state, deps }: RunningTurn,
  { reply, messageId, text }: { reply: HeldReply; messageId: string; text: string },
): Generator<Event, void> {
  reply.held = undefined;
  if (text === '') return;
  const shown: EventBody = { type: 'text-delta', message_id: messageId, text };
  applyEvent(state, shown);
  yield deps.journal.note(shown);
}

/** Sends what may be sent of a held reply: of an answer the text that the plugins allow, beside calls nothing. */
export async function* settleHeld(
  turn: RunningTurn,
  { reply, messageId, hasCalls }: { reply: HeldReply; messageId: string; hasCalls: boolean },
): AsyncGenerator<Event, void> {
  const text = hasCalls ? dropHeld(reply) : await readVerdict(turn, reply);
  yield* showHeld(turn, { reply, messageId, text });
}

/** The text to send: the held draft, or a plugin's replacement, which takes over nothing of the draft. */
async function readVerdict(turn: RunningTurn, reply: HeldReply): Promise<string> {
  const draft = reply.held ?? '';
  const verdict = await runOnAnswer(turn, draft);
  reply.isUnseen = verdict === undefined;
  if (!verdict || verdict === 'keep') return draft;
  reply.replaced = { text: draft, problems: [verdict.reason], replaced: true };
  reply.intents = [];
  reply.metadata = {};
  return verdict.replace;
}

/** Text beside calls is no answer yet; held, it could say what the answer may not. */
function dropHeld(reply: HeldReply): string {
  const text = reply.held ?? '';
  if (text.trim() !== '') reply.replaced = { text, problems: ['it came with calls'], replaced: true };
  return '';
}
