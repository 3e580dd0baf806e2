import { type Clock, systemClock } from '../../clock.ts';
import { type Ids, systemIds } from '../../ids.ts';
import type { Provider } from '../../schema/provider.ts';
import { createPost, type HttpReply, type Post, readStart } from '../http-post.ts';
import { endsWithResults, type Model, type ModelChunk, type ModelRequest, type StreamOptions } from '../model.ts';
import { badReply, explainStatus, unreadableReply } from '../model-errors.ts';
import { explainCut, explainNetwork } from '../network-errors.ts';
import type { Origin } from '../origin.ts';
import { MAX_LINE_CHARS, MAX_REPLY_CHARS, type SseHandlers, type SseLines, withoutMark } from '../sse-lines.ts';
import { createTextReader } from '../stream-reader.ts';
import { waitFor } from '../wait.ts';
import type { BodySettings } from './openai-body.ts';
import { createOpenAiReply, type OpenAiReply } from './openai-reply.ts';
import type { WireEvent } from './openai-wire.ts';
import type { ProviderSettings } from './provider-settings.ts';
import { createTolerantPost } from './tolerant-post.ts';

/** How long to wait for the usage after the end of the reply if the connection stays open. */
const USAGE_WAIT_MS = 2_000;
const MAX_ERROR_CHARS = 20_000;
const LOADING_POLL_MS = 1_000;

/** How a server writes chats: its address, its body, and its replies as events of the chat completions protocol. */
export interface ChatDialect {
  accept: string;
  /** Returns the address of chats below a base address. */
  writeUrl(endpoint: string): URL;
  writeBody(request: ModelRequest, settings: BodySettings): string;
  createLines(handlers: SseHandlers): SseLines;
  parseEvent(origin: Origin, data: string): WireEvent;
  /** True for a whole reply although a stream was requested. */
  isWhole(response: HttpReply): boolean;
}

export interface ChatSettings extends Omit<ProviderSettings, 'clock' | 'ids'> {
  /** The base address, such as Gemini's https://generativelanguage.googleapis.com/v1beta/openai */
  endpoint: string;
  provider?: Provider;
  /** The header for the bare key, in place of `authorization`. */
  keyHeader?: string;
  clock?: Clock;
  ids?: Ids;
}

interface Connection {
  dialect: ChatDialect;
  settings: ChatSettings;
  origin: Origin;
  label: string;
  url: URL;
  post: Post;
  clock: Clock;
  ids: Ids;
}

/** A model that streams chats in one of the dialects. */
export function createChatModel(settings: ChatSettings, dialect: ChatDialect): Model {
  const { provider = 'openai_compatible', name, apiKey, keyVariable, clock = systemClock, ids = systemIds } = settings;
  const url = dialect.writeUrl(settings.endpoint);
  const origin = {
    provider,
    model: name,
    host: url.host,
    ...(apiKey && { apiKey }),
    ...(keyVariable && { keyVariable }),
    headerValues: Object.values(settings.headers ?? {}),
  };
  const label = `${provider} ${name}`;
  const post = createTolerantPost({
    post: settings.post ?? createPost(),
    origin,
    settings: { ...settings, clock, ids },
    endpoint: url.href,
    clock,
  });
  const connection = { dialect, settings, origin, label, url, post, clock, ids };
  return { label, stream: (request, options) => streamReply(connection, request, options) };
}

async function* streamReply(
  connection: Connection,
  request: ModelRequest,
  options: StreamOptions,
): AsyncGenerator<ModelChunk> {
  const { origin, label, clock, dialect } = connection;
  const reply = createOpenAiReply({
    origin,
    label,
    date: clock.date,
    newId: () => `call_${connection.ids.ulid()}`,
    mayBeEmpty: endsWithResults(request),
    maxChars: connection.settings.maxReplyChars,
    parse: dialect.parseEvent,
  });
  const response = await openReply(connection, request, options.signal);
  try {
    if (dialect.isWhole(response)) reply.read(withoutMark(await readWhole(origin, response, options)));
    else yield* readPieces({ connection, response, reply, options });
    yield* reply.takeChunks();
    options.onResponse?.(reply.response);
    yield* reply.finish();
  } finally {
    if (reply.isFinished() && !reply.isCut()) response.release();
    else response.close();
  }
}

async function openReply(connection: Connection, request: ModelRequest, signal: AbortSignal): Promise<HttpReply> {
  const { settings, origin, url, post, clock, label, dialect } = connection;
  const headers = {
    'content-type': 'application/json',
    accept: dialect.accept,
    'user-agent': 'holodeck',
    ...writeKey(settings),
    ...(request.traceparent && { traceparent: request.traceparent }),
  };
  const body = dialect.writeBody(request, { ...settings, label });
  for (;;) {
    const response = await post({ url, headers, body, signal }).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : explainNetwork(origin, error);
    });
    const { status } = response;
    if (status === 200) return response;
    const { 'retry-after': retryAfter, location } = response.headers;
    const text = await readStart(response, { signal, clock });
    // llama.cpp refuses requests while it loads its model; Ollama lets them wait.
    if (status !== 503 || !/loading model/i.test(text))
      throw explainStatus(origin, { status, body: text, retryAfter, location }, clock.date());
    await waitFor({ ms: LOADING_POLL_MS, clock, signal });
  }
}

function writeKey({ apiKey, keyHeader }: ChatSettings): Record<string, string> {
  if (!apiKey) return {};
  return keyHeader ? { [keyHeader]: apiKey } : { authorization: `Bearer ${apiKey}` };
}

interface PiecesContext {
  connection: Connection;
  response: HttpReply;
  reply: OpenAiReply;
  options: StreamOptions;
}

/** The hot path: a socket read produces at most one chunk of text. */
async function* readPieces({ connection, response, reply, options }: PiecesContext): AsyncGenerator<ModelChunk> {
  const { origin, clock } = connection;
  const reader = createTextReader(response.body, options.signal);
  let stray = '';
  let received = 0;
  let cancelWait: (() => void) | undefined;
  const lines = connection.dialect.createLines({
    onData: reply.read,
    onStray: (line) => {
      if (stray.length < MAX_ERROR_CHARS) stray += `${line}\n`;
    },
    onTooLong: () => {
      throw badReply(origin, 'sent a line that is too long to be part of a reply');
    },
  });
  try {
    for (;;) {
      const piece = await reader.next().catch((error: unknown) => endOrThrow(error, { origin, reply, options }));
      if (piece === undefined) break;
      received += piece.length;
      if (received > MAX_REPLY_CHARS) throw badReply(origin, 'sent a reply without an end');
      lines.push(piece);
      yield* reply.takeChunks();
      if (reply.isDone()) return;
      if (reply.isFinished()) cancelWait ??= clock.after(USAGE_WAIT_MS, () => reader.stop());
    }
    lines.end();
    if (stray !== '' && !reply.isFinished()) readStray(origin, reply, stray);
  } finally {
    cancelWait?.();
  }
}

/** Ignores a connection that breaks after the reply has ended. */
function endOrThrow(
  error: unknown,
  { origin, reply, options }: Omit<PiecesContext, 'connection' | 'response'> & { origin: Origin },
): undefined {
  if (options.signal.aborted) throw options.signal.reason;
  if (!reply.isFinished()) throw explainCut(origin, error);
}

function readStray(origin: Origin, reply: OpenAiReply, stray: string): void {
  if (stray.trimStart().startsWith('{')) reply.read(stray);
  else throw unreadableReply(origin, stray);
}

async function readWhole(origin: Origin, response: HttpReply, options: StreamOptions): Promise<string> {
  const reader = createTextReader(response.body, options.signal);
  let text = '';
  for (;;) {
    const piece = await reader.next().catch((error: unknown) => {
      throw options.signal.aborted ? options.signal.reason : explainCut(origin, error);
    });
    if (piece === undefined) return text;
    text += piece;
    if (text.length > MAX_LINE_CHARS) throw badReply(origin, 'sent a reply that is too long');
  }
}
