import type { TokenUsage } from '../../schema/conversation/token-usage.ts';
import { type Encoding, sseEncoding } from '../http/encode.ts';
import type { StreamFrame, Translator } from '../stream/translator.ts';
import { toTurnError } from './openai-error.ts';
import { createTurnParts, type TurnPart } from './turn-parts.ts';

/** The ids of a completion. */
export interface CompletionHead {
  turnId: string;
  conversationId: string;
  agent: string;
  /** Seconds. */
  created: number;
}

const DONE = '[DONE]';

/** OpenAI's event stream: data only, and a last line that is no JSON. */
export const completionEncoding: Encoding = {
  ...sseEncoding,
  encode: (_id, { name, data }) => (name === DONE ? `data: ${DONE}\n\n` : `data: ${JSON.stringify(data)}\n\n`),
};

export function createCompletionTranslator(head: CompletionHead, options: { withUsage: boolean }): Translator {
  const turn = createTurnParts(head.turnId, head.conversationId);
  let calls = 0;
  const chunk = (choices: object[], more: object = {}): StreamFrame => ({
    data: { ...headOf(head, 'chat.completion.chunk'), choices, ...more },
  });
  const delta = (value: object, finish_reason: string | null = null): StreamFrame =>
    chunk([{ index: 0, delta: value, logprobs: null, finish_reason }]);
  const toFrames = (part: TurnPart): StreamFrame[] => {
    switch (part.kind) {
      case 'start':
        return [delta({ role: 'assistant', content: '' })];
      case 'text':
        return [delta({ content: part.text })];
      case 'call': {
        const { id, name, arguments: args } = part.call;
        return [delta({ tool_calls: [{ index: calls++, id, type: 'function', function: { name, arguments: args } }] })];
      }
      case 'end': {
        const usage = options.withUsage ? [chunk([], { usage: toUsage(part.usage) })] : [];
        // Clients join the texts of a field, so that the name is sent once.
        return [delta({ ...(part.agent && { name: part.agent }) }, part.reason), ...usage, { name: DONE, data: {} }];
      }
      case 'failure':
        return [{ data: { ...toTurnError(part.error) } }, { name: DONE, data: {} }];
    }
  };
  return {
    skip: turn.skip,
    frames: (event) => turn.parts(event).flatMap(toFrames),
    needsHistory: () => false,
    setHistory: () => {},
    reset: (error) => turn.cut(error).flatMap(toFrames),
    end: (error) => turn.cut(error).flatMap(toFrames),
  };
}

/** The parts of a whole turn as one completion. */
export function toCompletion(head: CompletionHead, parts: readonly TurnPart[]): Record<string, unknown> {
  const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
  const tool_calls = parts.flatMap((part) => {
    if (part.kind !== 'call') return [];
    const { id, name, arguments: args } = part.call;
    return [{ id, type: 'function', function: { name, arguments: args } }];
  });
  const end = parts.find((part) => part.kind === 'end');
  const message = {
    role: 'assistant',
    ...(end?.agent && { name: end.agent }),
    content: text === '' && tool_calls.length > 0 ? null : text,
    refusal: null,
    ...(tool_calls.length > 0 && { tool_calls }),
  };
  return {
    ...headOf(head, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: end?.reason ?? 'stop' }],
    usage: toUsage(end?.usage),
  };
}

function headOf({ turnId, conversationId, agent, created }: CompletionHead, object: string): Record<string, unknown> {
  return { id: `chatcmpl-${turnId}`, object, created, model: agent, session_id: conversationId };
}

/** Tokens in the names of chat completions. The built-in model counts none. `cost` is in dollars, as OpenRouter has it. */
function toUsage(usage: TokenUsage | undefined): Record<string, unknown> {
  const { prompt_tokens = 0, completion_tokens = 0, total_tokens = 0, cached_tokens, cost_usd } = usage ?? {};
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens,
    ...(cached_tokens !== undefined && { prompt_tokens_details: { cached_tokens } }),
    ...(cost_usd !== undefined && { cost: cost_usd }),
  };
}
