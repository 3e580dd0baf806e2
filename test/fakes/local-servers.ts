import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import * as z from 'zod';
import { writeEvents } from './model-server.ts';

/** The servers with OpenAI's protocol that people run on their own machine. */
export type LocalKind = 'lmstudio' | 'docker' | 'llamacpp';

const Call = z.strictObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string().min(1), arguments: z.string() }),
});

const Tool = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({ name: z.string(), description: z.string(), parameters: z.looseObject({}) }),
});

/** The documented fields; the real servers ignore another one, so that it would be an error of ours. */
const Body = z.strictObject({
  model: z.string().min(1),
  messages: z.array(
    z.discriminatedUnion('role', [
      z.strictObject({ role: z.enum(['system', 'user']), content: z.string() }),
      z.strictObject({
        role: z.literal('assistant'),
        content: z.string().nullable(),
        tool_calls: z.array(Call).optional(),
      }),
      z.strictObject({ role: z.literal('tool'), tool_call_id: z.string().min(1), content: z.string() }),
    ]),
  ),
  tools: z.array(Tool).min(1).optional(),
  tool_choice: z.union([z.string(), z.looseObject({})]).optional(),
  temperature: z.number().optional(),
  max_tokens: z.number().int().optional(),
  response_format: z.looseObject({ type: z.string() }).optional(),
  stream: z.literal(true),
  stream_options: z.strictObject({ include_usage: z.literal(true) }),
});

type LocalBody = z.infer<typeof Body>;

interface LocalReply {
  content?: string;
  call?: { name: string; arguments: object };
}

export interface LocalOptions {
  models?: readonly string[];
  answer?(body: LocalBody): LocalReply;
  /** The window that the model was loaded with; a character counts as a quarter of a token. */
  contextTokens?: number;
  /** llama.cpp: true while the model is being loaded. */
  isLoading?(): boolean;
  /** llama.cpp: started with `--jinja`, without which it refuses tools. */
  hasJinja?: boolean;
}

type Sent = { status: number; body: object | string };

/** The parts in which the servers differ, from their documentation and from recorded answers. */
interface Dialect {
  base: string;
  list(models: readonly string[], contextTokens: number): object;
  unknownPath(route: string): Sent;
  /** Absent if the server answers with the model that it has, whatever name is sent. */
  unknownModel?(name: string, models: readonly string[]): Sent;
  refuse(body: LocalBody, options: LocalOptions): Sent | undefined;
  tooLong(tokens: number, window: number): Sent;
  /** The pieces of a streamed call. */
  writeCall(call: NonNullable<LocalReply['call']>): object[];
}

const error = (status: number, type: string, message: string, more: object = {}): Sent => ({
  status,
  body: { error: { code: status, message, type, ...more } },
});
const callPart = (parts: object) => ({ tool_calls: [{ index: 0, ...parts }] });

const LLAMACPP: Dialect = {
  base: '/v1',
  list: (models, window) => ({
    models: models.map((name) => ({ name, model: name, type: 'model', capabilities: ['completion'] })),
    object: 'list',
    data: models.map((id) => ({
      id,
      aliases: [id],
      object: 'model',
      created: 1,
      owned_by: 'llamacpp',
      meta: { vocab_type: 2, n_vocab: 1, n_ctx: window, n_ctx_train: 131_072, n_embd: 1, n_params: 1, size: 1 },
    })),
  }),
  unknownPath: () => error(404, 'not_found_error', 'File Not Found'),
  refuse: ({ tools }, { hasJinja = true, isLoading }) => {
    if (isLoading?.()) return error(503, 'unavailable_error', 'Loading model');
    if (tools && !hasJinja) return error(500, 'server_error', 'tools param requires --jinja flag');
    return undefined;
  },
  tooLong: (tokens, window) =>
    error(
      400,
      'exceed_context_size_error',
      `request (${tokens} tokens) exceeds the available context size (${window} tokens), try increasing it`,
      { n_prompt_tokens: tokens, n_ctx: window },
    ),
  // The first piece has the beginning of the arguments already.
  writeCall: ({ name, arguments: args }) => {
    const text = JSON.stringify(args);
    const id = 'Wp9XCTzkpcOAwPNk9ZIBPfRGFzGKzFWd';
    return [
      callPart({ id, type: 'function', function: { name, arguments: text.slice(0, 1) } }),
      callPart({ function: { arguments: text.slice(1) } }),
    ];
  },
};

const DIALECTS: Readonly<Record<LocalKind, Dialect>> = {
  lmstudio: {
    base: '/v1',
    list: (models) => ({
      object: 'list',
      data: models.map((id) => ({ id, object: 'model', owned_by: 'organization_owner' })),
    }),
    unknownPath: (route) => ({ status: 200, body: { error: `Unexpected endpoint or method. (${route})` } }),
    unknownModel: (name, models) => ({
      status: 404,
      body: {
        error: {
          message: `Model "${name}" not found. Please specify a valid model.\n\nYour models:\n\n${models.join('\n')}`,
          type: 'invalid_request_error',
          param: 'model',
          code: 'model_not_found',
        },
      },
    }),
    refuse: ({ tool_choice: choice, response_format: format }) => {
      if (typeof choice === 'object')
        return {
          status: 400,
          body: { error: "Invalid tool_choice type: 'object'. Supported string values: none, auto, required" },
        };
      if (format && !['json_schema', 'text'].includes(format.type))
        return { status: 400, body: { error: "'response_format.type' must be 'json_schema' or 'text'" } };
      return undefined;
    },
    // Behind a status 200, as an event of the stream.
    tooLong: (tokens, window) => {
      const message = `Trying to keep the first ${tokens} tokens when context the overflows. However, the model is loaded with context length of only ${window} tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input`;
      return { status: 200, body: `event: error\n${writeEvents({ error: { message } })}` };
    },
    writeCall: ({ name, arguments: args }) => [
      callPart({ id: '377278620', type: 'function', function: { name, arguments: '' } }),
      callPart({ function: { arguments: JSON.stringify(args) } }),
    ],
  },
  docker: {
    ...LLAMACPP,
    base: '/engines/v1',
    list: (models) => ({
      object: 'list',
      data: models.map((id) => ({ id, object: 'model', created: 1_746_000_000, owned_by: 'docker' })),
    }),
    unknownPath: () => ({ status: 404, body: 'not found\n' }),
    unknownModel: () => ({ status: 404, body: 'error while getting model: model not found\n' }),
    refuse: () => undefined,
  },
  llamacpp: LLAMACPP,
};

export interface FakeLocalServer extends AsyncDisposable {
  url: string;
  requests: string[];
  /** Chats that were answered. */
  chats: LocalBody[];
}

/** A fake of one server on a loopback port. A request that the real one would misunderstand is refused with 422. */
export async function startLocalServer(kind: LocalKind, options: LocalOptions = {}): Promise<FakeLocalServer> {
  const { models = ['qwen3-4b'], contextTokens = 8_192 } = options;
  const dialect = DIALECTS[kind];
  const requests: string[] = [];
  const chats: LocalBody[] = [];

  function answer(route: string, text: string): Sent {
    if (route === `GET ${dialect.base}/models`) return { status: 200, body: dialect.list(models, contextTokens) };
    if (kind === 'llamacpp' && route === 'GET /props')
      return { status: 200, body: { default_generation_settings: { n_ctx: contextTokens }, total_slots: 1 } };
    if (route !== `POST ${dialect.base}/chat/completions`) return dialect.unknownPath(route);
    const { data: body, error: fault } = Body.safeParse(JSON.parse(text));
    if (!body) return { status: 422, body: z.prettifyError(fault) };
    const isKnown = models.some((name) => name === body.model);
    if (!isKnown && dialect.unknownModel) return dialect.unknownModel(body.model, models);
    const refused = dialect.refuse(body, options);
    if (refused) return refused;
    const tokens = Math.ceil(text.length / 4);
    if (tokens > contextTokens) return dialect.tooLong(tokens, contextTokens);
    chats.push(body);
    return { status: 200, body: writeStream(dialect, body.model, options.answer?.(body) ?? { content: 'Hello.' }) };
  }

  const server = http.createServer(async (request, response) => {
    const route = `${request.method} ${request.url}`;
    requests.push(route);
    const { status, body } = answer(route, await readText(request));
    const type = typeof body === 'object' ? 'application/json' : status === 200 ? 'text/event-stream' : 'text/plain';
    response.writeHead(status, { 'content-type': type });
    response.end(typeof body === 'object' ? JSON.stringify(body) : body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listens on a port, not on a pipe
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    chats,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function writeStream(dialect: Dialect, model: string, { content, call }: LocalReply): string {
  const base = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_730_000_000, model };
  const event = (delta: object, finish_reason: string | null = null) => ({
    ...base,
    system_fingerprint: 'b6000',
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  });
  return writeEvents(
    event({ role: 'assistant', content: null }),
    ...(content?.match(/.{1,7}/gs) ?? []).map((piece) => event({ content: piece })),
    ...(call ? dialect.writeCall(call).map((delta) => event(delta)) : []),
    event({}, call ? 'tool_calls' : 'stop'),
    { ...base, choices: [], usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 } },
    '[DONE]',
  );
}
