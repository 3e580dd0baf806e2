import http from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';

/** A model on the fake server. */
interface OllamaModel {
  name: string;
  /** As /api/show reports them; `null` leaves the field out, as versions before 0.6.4 do. */
  capabilities?: readonly string[] | null;
  contextTokens?: number;
}

const Call = z.strictObject({
  id: z.string().optional(),
  function: z.strictObject({ name: z.string().min(1), arguments: z.record(z.string(), z.json()) }),
});

const ChatMessage = z.strictObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  images: z.array(z.base64()).optional(),
  tool_calls: z.array(Call).optional(),
  tool_name: z.string().min(1).optional(),
  tool_call_id: z.string().optional(),
});

/** The body of /api/chat; another key or type is an error of ours. */
const ChatBody = z.strictObject({
  model: z.string(),
  messages: z.array(ChatMessage),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({ name: z.string(), description: z.string(), parameters: z.looseObject({}) }),
      }),
    )
    .optional(),
  format: z.union([z.literal('json'), z.looseObject({})]).optional(),
  think: z.union([z.boolean(), z.enum(['low', 'medium', 'high'])]).optional(),
  options: z.strictObject({
    num_ctx: z.number().int().positive(),
    temperature: z.number().optional(),
    num_predict: z.number().int().optional(),
  }),
  stream: z.literal(true),
});

type OllamaBody = z.infer<typeof ChatBody>;

interface OllamaReply {
  content?: string;
  thinking?: string;
  calls?: readonly { name: string; arguments: Record<string, unknown> }[];
  doneReason?: string;
}

export interface OllamaOptions {
  models: readonly OllamaModel[];
  /** Answers a chat; the second argument is true if the beginning of the prompt was cut away. */
  answer?(body: OllamaBody, isCut: boolean): OllamaReply;
  /** Tokens per character; real tokenizers count more than our estimate of a quarter. */
  tokensPerChar?: number;
  /** Resolves when the model is loaded. */
  loading?: Promise<void>;
  /** Older versions leave the count out of a reply whose prompt was cached. */
  withCounts?: boolean;
  port?: number;
}

export interface FakeOllama extends AsyncDisposable {
  url: string;
  /** `GET /api/tags` and the like, in order. */
  requests: string[];
  chats: OllamaBody[];
  /** The window of every load: a change of num_ctx loads the model again. */
  loads: number[];
}

/**
 * An Ollama on a loopback port, by its documented API. It cuts a prompt that is longer than num_ctx from the front and
 * says nothing about it.
 */
export async function startOllama(options: OllamaOptions): Promise<FakeOllama> {
  const requests: string[] = [];
  const chats: OllamaBody[] = [];
  const loads: number[] = [];
  const server = http.createServer(async (request, response) => {
    response.on('error', () => {});
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const text = Buffer.concat(pieces).toString();
    const route = `${request.method} ${request.url}`;
    requests.push(route);
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify(body));
    };
    const find = (name: string) =>
      options.models.find((model) => model.name === name || model.name === `${name}:latest`);
    if (route === 'GET /api/tags')
      return send(200, { models: options.models.map(({ name }) => ({ name, model: name })) });
    if (route === 'GET /api/version') return send(200, { version: '0.12.0' });
    if (route === 'POST /api/show') {
      const { model: name } = z.object({ model: z.string() }).parse(JSON.parse(text));
      const model = find(name);
      return model ? send(200, describeModel(model)) : send(404, { error: `model '${name}' not found` });
    }
    if (route !== 'POST /api/chat') return send(404, { error: 'not found' });
    const parsed = ChatBody.safeParse(JSON.parse(text));
    if (!parsed.success) return send(400, { error: z.prettifyError(parsed.error) });
    const body = parsed.data;
    const model = find(body.model);
    if (!model) return send(404, { error: `model '${body.model}' not found` });
    if (body.tools && !(model.capabilities ?? ['tools']).includes('tools'))
      return send(400, { error: `registry.ollama.ai/library/${model.name} does not support tools` });
    chats.push(body);
    if (loads.at(-1) !== body.options.num_ctx) loads.push(body.options.num_ctx);
    await options.loading;
    const chars = JSON.stringify([body.messages, body.tools ?? []]).length;
    const tokens = Math.ceil(chars * (options.tokensPerChar ?? 0.25));
    const isCut = tokens > body.options.num_ctx;
    const reply = options.answer?.(body, isCut) ?? { content: 'Hello.' };
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    const counts = { prompt_eval_count: Math.min(tokens, body.options.num_ctx), eval_count: 5 };
    for (const line of writeLines(model.name, reply, options.withCounts === false ? {} : counts)) response.write(line);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listens on a port, not on a pipe
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    chats,
    loads,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function describeModel({ capabilities = ['completion', 'tools'], contextTokens = 40_960 }: OllamaModel) {
  return {
    // A licence is longer than an error that we would read.
    license: 'x'.repeat(30_000),
    details: { format: 'gguf', family: 'qwen3' },
    model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': contextTokens },
    ...(capabilities && { capabilities }),
  };
}

function writeLines(model: string, reply: OllamaReply, counts: object): string[] {
  const { content = '', thinking, calls = [], doneReason = 'stop' } = reply;
  const line = (parts: object) => `${JSON.stringify({ model, created_at: '2026-01-01T00:00:00Z', ...parts })}\n`;
  const message = (parts: object) => line({ message: { role: 'assistant', content: '', ...parts }, done: false });
  return [
    ...(thinking ? [message({ thinking })] : []),
    ...(content.match(/.{1,7}/gs) ?? []).map((piece) => message({ content: piece })),
    ...calls.map((call) => message({ tool_calls: [{ function: { index: 0, ...call } }] })),
    line({ message: { role: 'assistant', content: '' }, done: true, done_reason: doneReason, ...counts }),
  ];
}
