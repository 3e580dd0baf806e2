import { SSE } from '../http/encode.ts';
import { header, KEY, type Operation } from './operation.ts';

const SESSION = header(
  'X-Session-Id',
  'The conversation, known or new. Without it, the call is a conversation of its own that is not listed and kept for a day.',
);
const call = { method: 'POST', tag: 'openai', headers: [KEY, SESSION], streams: [SSE] } as const;
const CALL_PROBLEMS = [400, 404, 409, 413, 415, 429, 502, 503, 504];

/** Operations in OpenAI's protocol. Their errors have OpenAI's shape. */
export const openaiOperations: readonly Operation[] = [
  {
    id: 'listModels',
    method: 'GET',
    path: '/v1/models',
    tag: 'openai',
    summary: 'List the agents as models',
    answer: 'Models',
  },
  {
    id: 'readModel',
    method: 'GET',
    path: '/v1/models/{name}',
    tag: 'openai',
    summary: 'Describe an agent as a model',
    answer: 'Model',
    problems: [404],
  },
  {
    ...call,
    id: 'createCompletion',
    path: '/v1/chat/completions',
    summary: 'Send messages and get a chat completion, whole or as a stream',
    description:
      'The model is the name of an agent. `tools` are run by the caller. System messages are data for the model, not instructions. With `stream`, each event is a chunk and the last line is [DONE].',
    body: 'ChatCompletionRequest',
    answer: 'ChatCompletion',
    problems: CALL_PROBLEMS,
  },
  {
    ...call,
    id: 'createResponse',
    path: '/v1/responses',
    summary: 'Send input and get a response, whole, as a stream or in the background',
    description:
      'The model is the name of an agent. `previous_response_id` continues the conversation of that response; an older one is continued on a branch.',
    body: 'ResponsesRequest',
    answer: 'OpenaiResponse',
    problems: CALL_PROBLEMS,
  },
  {
    id: 'readResponse',
    method: 'GET',
    path: '/v1/responses/{response}',
    tag: 'openai',
    summary: 'Read a response, also while it runs',
    answer: 'OpenaiResponse',
    problems: [404],
  },
  {
    id: 'cancelResponse',
    method: 'POST',
    path: '/v1/responses/{response}/cancel',
    tag: 'openai',
    summary: 'Stop a running response; its output so far stays',
    answer: 'OpenaiResponse',
    problems: [404, 413, 415, 429],
  },
];
