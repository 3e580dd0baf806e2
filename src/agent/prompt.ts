import type { AssistantMessage, Message, ToolMessage } from '../schema/conversation/message.ts';
import { CHARS_PER_TOKEN } from '../schema/conversation/token-usage.ts';
import type { ModelLimits } from '../schema/model-limits.ts';
import type { User } from '../schema/user.ts';
import { cutLong, cutToFit, estimateTokens } from './fit-messages.ts';
import type { Zone } from './time-zone.ts';

/** The start of the history moves in steps of this share, so that a provider's prompt cache stays valid in between. */
const STEP_SHARE = 1 / 4;

const NO_ANSWER = '(This message was not answered.)';
/** A turn may end with its calls: the model adds no text, or the user sends the next message first. */
const NO_WORDS = '(These calls were followed by no words.)';

export interface PromptParts {
  instructions: string;
  user: User;
  now: Date;
  zone: Zone;
  notes?: readonly string[];
}

/** Instructions come first and the parts that change every turn last, so that providers can cache the long part. */
export function systemPrompt({ instructions, user, now, zone, notes = [] }: PromptParts): string {
  const lines = [
    `Current time: ${zone.write(now)}`,
    ...(user.name ? [`The user's name: ${JSON.stringify(user.name)}`] : []),
    ...notes,
  ];
  return `${instructions.trim()}\n\n${lines.join('\n')}`;
}

/** The number of text messages (user and assistant) to send. It is at most `limit` and shrinks only in whole steps. */
export function keptMessages(total: number, limit: number): number {
  if (total <= limit) return total;
  const step = Math.max(2, Math.floor(limit * STEP_SHARE));
  const dropped = Math.ceil((total - limit) / step) * step;
  return Math.max(0, total - dropped);
}

/**
 * Builds a message list that every provider accepts: it begins with a user message, roles alternate, and every call is
 * followed by its result in call order. The list fits into `context_tokens`: long texts of earlier turns are cut, then
 * whole turns are dropped from the front. Texts of the current turn are cut only when it does not fit alone.
 */
export function buildMessages(
  history: readonly Message[],
  turn: readonly Message[],
  { context_tokens: maxTokens }: Pick<ModelLimits, 'context_tokens'>,
): Message[] {
  const current = cutToFit(turn, maxTokens);
  const turns = withinBudget(splitTurns(repair(history)), current, maxTokens);
  return repair([...turns.flat(), ...current]);
}

/** Drops whole turns from the front, a quarter of the budget at a time, until the rest fits. */
function withinBudget(turns: Message[][], current: readonly Message[], maxTokens: number): Message[][] {
  const budget = maxTokens - estimateTokens(current);
  if (estimateTokens(turns.flat()) <= budget) return turns;
  const step = Math.max(1, Math.floor(maxTokens * STEP_SHARE));
  const shorter = turns.map((messages) => cutLong(messages, step * CHARS_PER_TOKEN));
  const total = estimateTokens(shorter.flat());
  if (total <= budget) return shorter;
  const toDrop = Math.ceil((total - budget) / step) * step;
  let dropped = 0;
  return shorter.filter((messages) => {
    if (dropped >= toDrop) return true;
    dropped += estimateTokens(messages);
    return false;
  });
}

function splitTurns(messages: readonly Message[]): Message[][] {
  const turns: Message[][] = [];
  for (const message of messages) {
    if (message.role === 'user' || turns.length === 0) turns.push([]);
    turns.at(-1)?.push(message);
  }
  return turns;
}

/** Moves every result after its call, adds missing results, and makes user and assistant messages alternate. */
function repair(messages: readonly Message[]): Message[] {
  const results = new Map<string, ToolMessage>();
  for (const message of messages) if (message.role === 'tool') results.set(message.tool_call_id, message);
  const valid: Message[] = [];
  for (const message of messages) {
    const last = valid.at(-1);
    if (message.role === 'tool' || message.role === 'system' || (!last && message.role !== 'user')) continue;
    if (message.role === 'user' && last && last.role !== 'assistant') valid.push(noAnswer(last));
    if (message.role === 'assistant' && last?.role === 'assistant') valid.pop();
    valid.push(message.role === 'assistant' && last?.role === 'assistant' ? joined(last, message) : message);
    if (message.role === 'assistant') valid.push(...resultsOf(message, results));
  }
  return valid;
}

function resultsOf(message: AssistantMessage, results: Map<string, ToolMessage>): ToolMessage[] {
  return (message.tool_calls ?? []).map((call) => {
    const lost = '{"error":{"error_type":"ToolInvocationError","message":"The outcome of this call is not known."}}';
    return (
      results.get(call.id) ?? {
        id: message.id,
        role: 'tool',
        tool_call_id: call.id,
        content: lost,
        timestamp: message.timestamp,
        metadata: {},
      }
    );
  });
}

function noAnswer(before: Message): AssistantMessage {
  const content = before.role === 'tool' ? NO_WORDS : NO_ANSWER;
  return { id: before.id, role: 'assistant', content, timestamp: before.timestamp, metadata: {} };
}

function joined(first: AssistantMessage, second: AssistantMessage): AssistantMessage {
  return { ...second, content: [first.content, second.content].filter((text) => text.trim() !== '').join('\n\n') };
}
