import type { Json, JsonObject } from '../../schema/json.ts';
import type { Model, ModelChunk, ModelRequest } from '../model.ts';
import { mayBeCall, readTextCalls } from './read-text-calls.ts';

export interface TextCallOptions {
  /** Whether arguments fit the schema of their tool. */
  accepts(schema: JsonObject, value: Json): Promise<boolean>;
  newId(): string;
}

/** A longer reply is an answer, not a list of calls. */
const HELD_CHARS = 4_000;

/**
 * A small model that writes its calls as text. A reply that begins like a call is held until it is decided. It counts as
 * calls only if all of it is calls of offered tools with valid arguments; otherwise it is the answer, as it is.
 */
export function createTextCallModel(model: Model, options: TextCallOptions): Model {
  return {
    label: model.label,
    async *stream(request, streaming) {
      const names = request.tools.map(({ name }) => name);
      let held: string | undefined = names.length > 0 ? '' : undefined;
      for await (const chunk of model.stream(request, streaming)) {
        if (held === undefined || (chunk.type !== 'text' && chunk.type !== 'tool-call' && chunk.type !== 'finish')) {
          yield chunk;
        } else if (chunk.type === 'text') {
          held += chunk.text;
          if (held.length <= HELD_CHARS && mayBeCall(held, names)) continue;
          yield { type: 'text', text: held };
          held = undefined;
        } else {
          const calls =
            chunk.type === 'finish' && chunk.reason === 'stop' ? await findCalls(held, request, options) : undefined;
          if (calls) yield* calls;
          else if (held !== '') yield { type: 'text', text: held };
          held = undefined;
          yield calls && chunk.type === 'finish' ? { ...chunk, reason: 'tool-calls' } : chunk;
        }
      }
    },
  };
}

async function findCalls(
  text: string,
  { tools }: ModelRequest,
  { accepts, newId }: TextCallOptions,
): Promise<ModelChunk[] | undefined> {
  const calls = readTextCalls(text);
  if (!calls) return undefined;
  for (const call of calls) {
    const tool = tools.find(({ name }) => name === call.name);
    if (!tool || !(await accepts(tool.inputSchema, call.arguments))) return undefined;
  }
  return calls.map(({ name, arguments: args }) => ({
    type: 'tool-call',
    id: newId(),
    name,
    arguments: JSON.stringify(args),
  }));
}
