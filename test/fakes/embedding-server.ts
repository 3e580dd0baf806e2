import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import * as z from 'zod';
import { loadWordVectors } from '../../src/language/word-vectors.ts';

/**
 * A server that turns texts into vectors: the sum of the project's own word vectors, so that words of like meaning are
 * near. It knows the three protocols from their documentation, and refuses a body with any other field.
 */

const Texts = z.array(z.string().min(1)).min(1);
const BODIES = {
  // platform.openai.com/docs/api-reference/embeddings/create: at most 2,048 texts, none empty.
  openai: z.strictObject({
    model: z.string(),
    input: Texts.max(2_048),
    encoding_format: z.literal('float').optional(),
  }),
  // Ollama's API, "Generate embeddings".
  ollama: z.strictObject({ model: z.string(), input: Texts, truncate: z.boolean().optional() }),
  // ai.google.dev/api/embeddings, models.batchEmbedContents: at most 100 requests, each with the model of the path.
  google: z.strictObject({
    requests: z
      .array(
        z.strictObject({
          model: z.string().startsWith('models/'),
          content: z.strictObject({ parts: z.array(z.strictObject({ text: z.string().min(1) })).length(1) }),
          taskType: z.enum(['RETRIEVAL_QUERY', 'RETRIEVAL_DOCUMENT']).optional(),
        }),
      )
      .min(1)
      .max(100),
  }),
};

export interface EmbeddingServer {
  url: string;
  /** The texts of each request. */
  requests: string[][];
  close(): Promise<void>;
}

export interface EmbeddingOptions {
  model?: string;
  key?: string;
  /** Answers before the protocol does; a number is a status, `never` leaves the request open. */
  fault?(request: number): number | 'never' | undefined;
}

const vectors = loadWordVectors();

function embed(text: string): number[] {
  const sum = new Float64Array(256);
  for (const word of text.toLowerCase().match(/[a-z]{3,}/g) ?? [])
    vectors.vectorOf(word)?.forEach((value, at) => {
      sum[at] = (sum[at] ?? 0) + value;
    });
  return [...sum];
}

export async function startEmbeddingServer(options: EmbeddingOptions = {}): Promise<EmbeddingServer> {
  const { model = 'static-words', key, fault } = options;
  const requests: string[][] = [];
  const server = http.createServer(async (request, response) => {
    const body: unknown = JSON.parse((await readText(request)) || 'null');
    const send = (status: number, value: object) => {
      response.writeHead(status, { 'content-type': 'application/json', ...(status === 429 && { 'retry-after': '1' }) });
      response.end(JSON.stringify(value));
    };
    const wrong = fault?.(requests.length);
    requests.push([]);
    if (wrong === 'never') return;
    if (wrong !== undefined) return send(wrong, { error: { message: 'not now' } });
    const { url = '', headers } = request;
    const isOpenai = url === '/v1/embeddings';
    const sent = isOpenai ? headers.authorization?.replace('Bearer ', '') : headers['x-goog-api-key'];
    if (key !== undefined && sent !== key) return send(401, { error: { message: 'Incorrect API key provided' } });
    const protocol = isOpenai ? 'openai' : url === '/api/embed' ? 'ollama' : 'google';
    const read = BODIES[protocol].safeParse(body);
    const isGoogle = url === `/v1beta/models/${model}:batchEmbedContents`;
    if (protocol === 'google' && !isGoogle) return send(404, { error: { code: 404, message: `${url} is not found` } });
    if (!read.success) return send(400, { error: { message: z.prettifyError(read.error) } });
    const names = 'requests' in read.data ? read.data.requests.map((one) => one.model) : [read.data.model];
    const name = protocol === 'google' ? `models/${model}` : model;
    if (names.some((one) => one !== name)) return send(404, { error: { message: `model "${names[0]}" not found` } });
    const texts =
      'requests' in read.data ? read.data.requests.map((one) => one.content.parts[0]?.text ?? '') : read.data.input;
    requests[requests.length - 1] = texts;
    send(200, writeReply(protocol, texts, model));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, requests, close };
}

function writeReply(protocol: keyof typeof BODIES, texts: readonly string[], model: string): object {
  const found = texts.map(embed);
  if (protocol === 'ollama')
    return { model, embeddings: found, total_duration: 1, load_duration: 1, prompt_eval_count: 1 };
  if (protocol === 'google') return { embeddings: found.map((values) => ({ values })) };
  // The documentation promises an index, not an order.
  const data = found.map((embedding, index) => ({ object: 'embedding', index, embedding })).reverse();
  return { object: 'list', data, model, usage: { prompt_tokens: 1, total_tokens: 1 } };
}
