import type { TokenUsage } from '../../schema/conversation/token-usage.ts';
import type { TurnError, TurnStatus } from '../../schema/conversation/turn.ts';
import type { ResponsesRequest } from '../../schema/fronts/openai.ts';
import type { StreamFrame, Translator } from '../stream/translator.ts';
import { toResponseId } from './responses-in.ts';
import { type CallerCall, createTurnParts, type FinishReason, type TurnPart } from './turn-parts.ts';

/** The facts of a response that are no events of its turn. */
export interface ResponseHead {
  turnId: string;
  conversationId: string;
  agent: string;
  temperature: number | undefined;
  created: number;
  /** Called when the response is complete. */
  completed: () => number;
  previous: string | null;
  /** Undefined for a stored response: the journal has no fields of the request. */
  request?: ResponsesRequest;
}

/** Times of this protocol are whole seconds. */
export function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

type Item = Record<string, unknown>;
type Status = 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

interface ResponseState {
  status: Status;
  output: readonly Item[];
  usage?: TokenUsage | undefined;
  error?: TurnError | undefined;
  reason?: FinishReason | undefined;
}

/** A response with every field that Open Responses requires. Settings that the agent file decides have its values. */
function toResponse(head: ResponseHead, { status, output, usage, error, reason }: ResponseState): Item {
  const cut = status === 'incomplete' ? (reason === 'length' ? 'max_output_tokens' : 'content_filter') : undefined;
  return {
    id: toResponseId(head.turnId),
    object: 'response',
    created_at: head.created,
    completed_at: status === 'completed' ? head.completed() : null,
    status,
    error: error ? { code: error.code, message: error.message } : null,
    incomplete_details: cut ? { reason: cut } : null,
    model: head.agent,
    output,
    previous_response_id: head.previous,
    conversation: { id: head.conversationId },
    temperature: head.temperature ?? 1,
    usage: usage ? toUsage(usage) : null,
    ...repeated(head.request),
    ...UNUSED,
  };
}

/** The fields of the request that a response repeats. */
function repeated(request: ResponsesRequest | undefined): Item {
  return {
    instructions: request?.instructions ?? null,
    background: request?.background ?? false,
    metadata: request?.metadata ?? {},
    text: { format: request?.text?.format ?? { type: 'text' } },
    tool_choice: request?.tool_choice ?? 'auto',
    tools: (request?.tools ?? []).map((tool) => ({ description: null, parameters: null, strict: null, ...tool })),
  };
}

/** Fields without a meaning here, with the values that the protocol has for them. */
const UNUSED: Item = {
  parallel_tool_calls: true,
  store: true,
  truncation: 'disabled',
  service_tier: 'default',
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  top_logprobs: 0,
  reasoning: null,
  user: null,
  max_output_tokens: null,
  max_tool_calls: null,
  safety_identifier: null,
  prompt_cache_key: null,
};

function toUsage({ prompt_tokens, completion_tokens, total_tokens, cached_tokens = 0, cost_usd }: TokenUsage): Item {
  return {
    input_tokens: prompt_tokens,
    input_tokens_details: { cached_tokens },
    output_tokens: completion_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens,
    ...(cost_usd !== undefined && { cost: cost_usd }),
  };
}

/** The parts of a whole turn as one response. */
export function wholeResponse(head: ResponseHead, parts: readonly TurnPart[], turn?: TurnStatus): Item {
  const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
  const calls = parts.flatMap((part) => (part.kind === 'call' ? [toCallItem(part.call)] : []));
  const failure = parts.find((part) => part.kind === 'failure')?.error;
  const end = parts.find((part) => part.kind === 'end');
  const status = statusOf({ end, failure, turn });
  const output = [...(text === '' ? [] : [toMessageItem(head, text, status)]), ...calls];
  return toResponse(head, { status, output, usage: end?.usage, error: failure, reason: end?.reason });
}

function statusOf({
  end,
  failure,
  turn,
}: {
  end: Extract<TurnPart, { kind: 'end' }> | undefined;
  failure: TurnError | undefined;
  turn: TurnStatus | undefined;
}): Status {
  if (failure) return failure.code === 'cancelled' ? 'cancelled' : 'failed';
  if (!end) return turn === 'interrupted' ? 'failed' : 'in_progress';
  return end.reason === 'length' || end.reason === 'content_filter' ? 'incomplete' : 'completed';
}

function toMessageItem({ turnId }: ResponseHead, text: string, status: Status): Item {
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }];
  return { id: `msg_${turnId}`, type: 'message', role: 'assistant', status: itemStatus(status), content };
}

function itemStatus(status: Status): Status {
  return status === 'in_progress' || status === 'completed' ? status : 'incomplete';
}

function toCallItem({ id, name, arguments: args }: CallerCall, status: Status = 'completed'): Item {
  return { id: id.replace('call_', 'fc_'), type: 'function_call', call_id: id, name, arguments: args, status };
}

/** Translates a turn into the events of OpenAI's response stream. */
export function createResponseTranslator(head: ResponseHead): Translator {
  const turn = createTurnParts(head.turnId, head.conversationId);
  const writer = createWriter(head);
  const toFrames = (part: TurnPart): StreamFrame[] => {
    switch (part.kind) {
      case 'start':
        return writer.start();
      case 'text':
        return writer.text(part.text);
      case 'call':
        return [...writer.closeText(), ...writer.call(part.call)];
      case 'end': {
        const status = statusOf({ end: part, failure: undefined, turn: undefined });
        const closed = writer.closeText();
        return [...closed, ...writer.end({ status, usage: part.usage, reason: part.reason })];
      }
      case 'failure':
        return writer.end({
          status: statusOf({ end: undefined, failure: part.error, turn: undefined }),
          error: part.error,
        });
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

/** Numbers the events and keeps the items that are complete. */
function createWriter(head: ResponseHead) {
  const output: Item[] = [];
  let sequence = 0;
  let text = '';
  let isOpen = false;
  const frame = (type: string, data: Item): StreamFrame => ({
    name: type,
    data: { type, sequence_number: sequence++, ...data },
  });
  const place = () => ({ item_id: `msg_${head.turnId}`, output_index: output.length, content_index: 0 });
  const part = (value: string) => ({ type: 'output_text', text: value, annotations: [], logprobs: [] });
  const openText = (): StreamFrame[] => {
    if (isOpen) return [];
    isOpen = true;
    const item = { ...toMessageItem(head, '', 'in_progress'), content: [] };
    return [
      frame('response.output_item.added', { output_index: output.length, item }),
      frame('response.content_part.added', { ...place(), part: part('') }),
    ];
  };
  return {
    start(): StreamFrame[] {
      const response = toResponse(head, { status: 'in_progress', output: [] });
      return [frame('response.created', { response }), frame('response.in_progress', { response })];
    },
    text(delta: string): StreamFrame[] {
      const opened = openText();
      text += delta;
      return [...opened, frame('response.output_text.delta', { ...place(), delta, logprobs: [] })];
    },
    closeText(): StreamFrame[] {
      if (!isOpen) return [];
      isOpen = false;
      const item = toMessageItem(head, text, 'completed');
      const frames = [
        frame('response.output_text.done', { ...place(), text, logprobs: [] }),
        frame('response.content_part.done', { ...place(), part: part(text) }),
        frame('response.output_item.done', { output_index: output.length, item }),
      ];
      output.push(item);
      return frames;
    },
    call(call: CallerCall): StreamFrame[] {
      const item = toCallItem(call);
      const at = { item_id: String(item.id), output_index: output.length };
      const frames = [
        frame('response.output_item.added', {
          output_index: output.length,
          item: toCallItem({ ...call, arguments: '' }, 'in_progress'),
        }),
        frame('response.function_call_arguments.delta', { ...at, delta: call.arguments }),
        frame('response.function_call_arguments.done', { ...at, name: call.name, arguments: call.arguments }),
        frame('response.output_item.done', { output_index: output.length, item }),
      ];
      output.push(item);
      return frames;
    },
    end(state: Omit<ResponseState, 'output'>): StreamFrame[] {
      const response = toResponse(head, { ...state, output });
      const type = state.status === 'completed' || state.status === 'incomplete' ? state.status : 'failed';
      return [frame(`response.${type}`, { response })];
    },
  };
}
