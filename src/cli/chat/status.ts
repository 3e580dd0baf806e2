import { sinceSummary } from '../../runtime/turn/summary.ts';
import type { TokenUsage } from '../../schema/conversation/token-usage.ts';
import type { TurnResult } from '../../schema/conversation/turn.ts';
import { isText } from '../../schema/is-text.ts';
import { formatCost } from '../../schema/price.ts';
import { terminalColors } from '../terminal/colors.ts';
import type { Chat } from './chat.ts';

const WARN_AT = 0.8;

/** Number of messages sent to the model with the next one. */
export async function countContext({ runtime, user, agent, conversationId }: Chat): Promise<number> {
  if (!conversationId) return 0;
  const last = agent.limits.history_messages;
  const messages = await runtime.readMessages(user, conversationId, { last });
  return Math.min(sinceSummary(messages).filter(isText).length, last);
}

export function statusText(count: number, limit: number, result: TurnResult): string {
  const { tokens_used: usage } = result;
  const parts = [
    `${count} of ${limit} messages`,
    ...(usage ? [`${usage.prompt_tokens} in${cachedText(usage)}, ${usage.completion_tokens} out`] : []),
    ...(usage?.cost_usd === undefined ? [] : [formatCost(usage.cost_usd)]),
    `${(result.execution_time_ms / 1000).toFixed(2)} s`,
  ];
  return parts.join(' · ');
}

function cachedText({ cached_tokens: cached }: TokenUsage): string {
  return cached ? ` (${cached} cached)` : '';
}

/** Warns once when the context is nearly full, and once when it is full. The built-in model needs no summary. */
export function warnContext(chat: Chat, count: number): void {
  if (chat.agent.model.provider === 'builtin') return;
  const limit = chat.agent.limits.history_messages;
  const share = count / limit;
  if (share < WARN_AT) chat.warnedAt = 0;
  const isNew = share >= 1 ? chat.warnedAt < 1 : share >= WARN_AT && chat.warnedAt < WARN_AT;
  if (!isNew) return;
  chat.warnedAt = share;
  const what =
    share >= 1 ? 'the oldest are no longer sent to the model' : 'soon the oldest will no longer be sent to the model';
  const advice = '/compact continues from a summary, /clear starts a new conversation, /save keeps a copy';
  chat.front.print(terminalColors.yellow(`${count} of ${limit} messages: ${what}. ${advice}.`));
}
