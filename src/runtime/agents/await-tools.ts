import { WAIT_FOR_TOOLS } from '../../agent/late-tools.ts';
import type { Model, ModelChunk, ModelRequest } from '../../models/model.ts';
import type { Message } from '../../schema/conversation/message.ts';

/** Small talk needs no tools. */
const SMALL_TALK =
  /^\W*(?:hi|hello|hey|yo|greetings|good (?:morning|afternoon|evening)|thanks|thank you|bye|help)\b.{0,30}$/i;

/**
 * Wraps a model that selects tools by their words: if no available tool fits, it waits for servers that are still
 * starting.
 */
export function awaitTools(model: Model): Model {
  return {
    label: model.label,
    async *stream(request, options) {
      const stream = model.stream(withoutTools(request, [WAIT_FOR_TOOLS]), options);
      if (!request.tools.some((tool) => tool.name === WAIT_FOR_TOOLS)) return yield* stream;
      const chunks = await Array.fromAsync(stream);
      yield* needsOthers(chunks, request) ? callWait(request) : chunks;
    },
  };
}

function needsOthers(chunks: readonly ModelChunk[], { messages }: ModelRequest): boolean {
  const asked = messages.findLast((message) => message.role === 'user')?.content ?? '';
  const fits = chunks.some(
    (chunk) =>
      chunk.type === 'tool-call' ||
      (chunk.type === 'intent' && chunk.intents.some((intent) => intent.name !== 'unknown')),
  );
  return !fits && !SMALL_TALK.test(asked);
}

function* callWait({ messages }: ModelRequest): Generator<ModelChunk> {
  yield { type: 'tool-call', id: `wait-${messages.length}`, name: WAIT_FOR_TOOLS, arguments: '{}' };
  yield { type: 'finish', reason: 'tool-calls' };
}

/** The request without some tools and their calls, because the model would read them as the user's words. */
export function withoutTools(request: ModelRequest, names: readonly string[]): ModelRequest {
  const callsOf = (message: Message) =>
    message.role === 'assistant' ? (message.tool_calls ?? []).filter(({ name }) => names.includes(name)) : [];
  const calls = new Set(request.messages.flatMap((message) => callsOf(message).map(({ id }) => id)));
  const tools = request.tools.filter(({ name }) => !names.includes(name));
  if (calls.size === 0) return { ...request, tools };
  const messages = request.messages.filter((message) => {
    if (message.role === 'tool') return !calls.has(message.tool_call_id);
    return callsOf(message).length === 0;
  });
  return { ...request, tools, messages };
}
