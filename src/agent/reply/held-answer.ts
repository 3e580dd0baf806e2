import type { Event, EventBody, Rejected } from '../../schema/conversation/event.ts';
import type { Intent } from '../../schema/domain.ts';
import type { JsonObject } from '../../schema/json.ts';
import { isHeld, runOnAnswer } from '../run-plugins.ts';
import { type RunningTurn, withSpeaker } from '../running-turn.ts';
import type { Ending } from '../turn-result.ts';
import { applyEvent, type HeldDraft } from '../turn-state.ts';

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

const HELD = 'Each answer is checked before it is shown.';

/** Sends one notice per attempt: a held answer looks like a model that is silent. */
export function* noteHold({ hold, deps }: RunningTurn): Generator<Event, void> {
  if (!hold || hold.isNoted) return;
  hold.isNoted = true;
  yield deps.journal.note({ type: 'notice', text: HELD });
}

/** Sends the text in place of what was held. If members read the answers, it stays held. */
export function* showHeld(
  turn: RunningTurn,
  { reply, messageId, text }: { reply: HeldReply; messageId: string; text: string },
): Generator<Event, void> {
  reply.held = turn.deps.readers ? text : undefined;
  if (!turn.deps.readers) yield* send(turn, messageId, text);
}

function* send({ state, deps }: RunningTurn, messageId: string, text: string): Generator<Event, void> {
  if (text === '') return;
  const shown: EventBody = { type: 'text-delta', message_id: messageId, text };
  applyEvent(state, shown);
  yield deps.journal.note(shown);
}

/** Sends what may be sent of a held reply: of an answer the text that the plugins allow, beside calls nothing. */
export async function* settleHeld(
  turn: RunningTurn,
  { reply, messageId, hasCalls, isSeen }: { reply: HeldReply; messageId: string; hasCalls: boolean; isSeen: boolean },
): AsyncGenerator<Event, void> {
  const text = hasCalls ? dropHeld(reply) : isSeen ? await readVerdict(turn, reply) : (reply.held ?? '');
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

type SentDraft = { events: EventBody[]; ending?: Pick<Ending, 'warning' | 'confidence'> };

/** Sends what the members that read a draft leave of it, and returns how the turn ends with that. */
export async function* sendDraft(turn: RunningTurn, draft: HeldDraft): AsyncGenerator<Event, SentDraft> {
  const { state, deps } = turn;
  const { message, intents } = draft;
  const read = deps.readers?.decide(draft, state.calls);
  const { text = message.content, reasons = [], warning } = read ?? {};
  const isKept = reasons.length === 0;
  const iteration = Math.max(1, state.iterations);
  const id = deps.ids.ulid();
  const start: EventBody = { type: 'step-start', iteration, message_id: id, carried: true, ...withSpeaker(deps, {}) };
  applyEvent(state, start);
  yield deps.journal.note(start);
  yield* send(turn, id, text);
  const sent = isKept ? { ...message, id } : { ...message, id, content: text, metadata: withSpeaker(deps, {}) };
  const rejected: Rejected = { text: message.content, problems: [...reasons], replaced: true };
  const end: EventBody = { type: 'step-end', iteration, message: sent, carried: true, ...(!isKept && { rejected }) };
  return {
    events: [end, ...(isKept && intents.length > 0 ? [{ type: 'intent' as const, intents }] : [])],
    ...(warning && { ending: { warning, confidence: 'low' } }),
  };
}
