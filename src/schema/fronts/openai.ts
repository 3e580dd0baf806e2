import * as z from 'zod';
import { ThreadId } from '../conversation/conversation.ts';
import { JsonObject, lazyLoose } from '../json.ts';

const MAX_MESSAGES = 100_000;
const MAX_TOOLS = 128;
const Name = z.lazy(() => z.string().min(1).max(64));
/** A caller may name the conversation here; other entries are the caller's own. */
const Metadata = z.lazy(() => z.looseObject({ session_id: ThreadId.optional() }));

const functionShape = () => ({
  name: Name,
  description: z.string().max(10_000).nullish(),
  parameters: JsonObject.nullish(),
});
const ChatTool = z.lazy(() => z.looseObject({ type: z.literal('function'), function: z.looseObject(functionShape()) }));
const ResponseTool = z.lazy(() => z.looseObject({ type: z.literal('function'), ...functionShape() }));
const Choice = z.enum(['auto', 'none', 'required']);
const ChatChoice = z.lazy(() =>
  z.union(
    [Choice, z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: Name }) })],
    'must be auto, none, required or a function',
  ),
);
const ResponseChoice = z.lazy(() =>
  z.union(
    [Choice, z.looseObject({ type: z.literal('function'), name: Name })],
    'must be auto, none, required or a function',
  ),
);
const TextFormat = lazyLoose(() => ({ type: z.literal('text') }));
const AnyFormat = lazyLoose(() => ({ type: z.literal('json_object') }));
const ChatFormat = z.lazy(() =>
  z.discriminatedUnion('type', [
    TextFormat,
    AnyFormat,
    z.looseObject({ type: z.literal('json_schema'), json_schema: z.looseObject({ schema: JsonObject.nullish() }) }),
  ]),
);
const ResponseFormat = z.lazy(() =>
  z.discriminatedUnion('type', [
    TextFormat,
    AnyFormat,
    z.looseObject({ type: z.literal('json_schema'), schema: JsonObject }),
  ]),
);

/** The JSON Schema that a caller asks for; undefined leaves the format to the agent. */
export function requestedSchema(format: z.infer<typeof ChatFormat> | null | undefined): JsonObject | undefined {
  if (!format || format.type === 'text') return undefined;
  return format.type === 'json_object' ? ANY_OBJECT : (format.json_schema.schema ?? ANY_OBJECT);
}

const ANY_OBJECT: JsonObject = { type: 'object' };

/** The fields of OpenAI's chat completions that are used here. The agent file decides the model's settings. */
export const ChatCompletionRequest = lazyLoose(() => ({
  model: z.string().min(1).max(200),
  messages: z.array(z.unknown()).min(1).max(MAX_MESSAGES),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  tools: z.array(ChatTool).max(MAX_TOOLS).nullish(),
  tool_choice: ChatChoice.nullish(),
  response_format: ChatFormat.nullish(),
  n: z.literal(1, 'must be 1: a turn has one answer').nullish(),
  logprobs: z.literal(false, 'must be false: there are no log probabilities').nullish(),
  metadata: Metadata.nullish(),
}));
export type ChatCompletionRequest = z.infer<typeof ChatCompletionRequest>;

/** The fields of OpenAI's responses that are used here. */
export const ResponsesRequest = lazyLoose(() => ({
  model: z.string().min(1).max(200),
  input: z.union([z.string(), z.array(z.unknown()).min(1).max(MAX_MESSAGES)]),
  instructions: z.string().nullish(),
  previous_response_id: z.string().max(200).nullish(),
  conversation: z.union([ThreadId, z.looseObject({ id: ThreadId })]).nullish(),
  stream: z.boolean().nullish(),
  background: z.boolean().nullish(),
  tools: z.array(ResponseTool).max(MAX_TOOLS).nullish(),
  tool_choice: ResponseChoice.nullish(),
  text: z.looseObject({ format: ResponseFormat.nullish() }).nullish(),
  metadata: Metadata.nullish(),
}));
export type ResponsesRequest = z.infer<typeof ResponsesRequest>;
