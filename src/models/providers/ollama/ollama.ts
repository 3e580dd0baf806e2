import { isObject, type JsonObject } from '../../../schema/json.ts';
import { providerFacts } from '../../../schema/provider.ts';
import { createPost, type Post, readStart } from '../../http-post.ts';
import type { Model, ModelChunk, ModelRequest, StreamOptions } from '../../model.ts';
import { modelError } from '../../model-errors.ts';
import { createJsonLines } from '../../sse-lines.ts';
import { type ChatDialect, type ChatSettings, createChatModel } from '../chat-model.ts';
import { createRefusals, type ProviderSettings } from '../provider-settings.ts';
import { chooseWindow, estimatePrompt, readShown, type ShownModel } from './window.ts';
import { parseOllamaEvent, writeOllamaBody } from './wire.ts';

interface Connection {
  settings: ChatSettings & Pick<ProviderSettings, 'clock'>;
  base: string;
  /** The largest window: the file's limit. */
  limit: number;
  windows: Map<string, number>;
  post: Post;
  show(signal: AbortSignal): Promise<ShownModel>;
}

/**
 * A model of Ollama, over its own protocol: the OpenAI-compatible one ignores the size of the context window and cuts a
 * longer prompt from the front, behind a status 200. A prompt that does not fit is not sent.
 */
export function createOllamaModel(given: ProviderSettings): Model {
  const base = baseAddress(given.endpoint ?? providerFacts('ollama').endpoint ?? '');
  const post = given.post ?? createPost();
  const settings = {
    ...given,
    provider: 'ollama' as const,
    endpoint: base,
    refusals: given.refusals ?? createRefusals(),
  };
  let shown: Promise<ShownModel> | undefined;
  const connection: Connection = {
    settings: { ...settings, post },
    base,
    limit: given.contextTokens ?? providerFacts('ollama').contextTokens ?? Number.POSITIVE_INFINITY,
    windows: given.windows ?? new Map(),
    post,
    show(signal) {
      shown ??= askShow(connection, signal).catch((error: unknown) => {
        shown = undefined;
        if (signal.aborted) throw error;
        return {}; // the request to /api/chat explains what is wrong
      });
      return shown;
    },
  };
  return { label: `ollama ${given.name}`, stream: (request, options) => streamReply(connection, request, options) };
}

/** An address for other clients ends with /v1 or names the whole path. */
export function baseAddress(endpoint: string): string {
  const url = new URL(endpoint);
  url.pathname = url.pathname.replace(/(?:\/v1(?:\/chat\/completions)?|\/api(?:\/chat)?)?\/*$/, '');
  return url.href.replace(/\/+$/, '');
}

async function* streamReply(
  connection: Connection,
  request: ModelRequest,
  options: StreamOptions,
): AsyncGenerator<ModelChunk> {
  const { settings, base, windows } = connection;
  const key = `${base} ${settings.name}`;
  const { contextTokens: own = Number.POSITIVE_INFINITY } = await connection.show(options.signal);
  const fixed = fixedWindow(settings.extraBody);
  const most = fixed ?? Math.min(connection.limit, own);
  const larger = own <= connection.limit ? LARGER_MODEL : 'raise limits.context_tokens';
  const advice = fixed ? 'raise num_ctx in model.extra_body' : larger;
  const need = { promptTokens: estimatePrompt(request), replyTokens: settings.maxTokens, most };
  for (;;) {
    const current = fixed ?? windows.get(key) ?? 0;
    const window = chooseWindow({ ...need, current });
    if (window === undefined) throw tooLong(settings.name, [need.promptTokens, most], advice);
    windows.set(key, Math.max(window, windows.get(key) ?? 0));
    const held: ModelChunk[] = [];
    let hasText = false;
    for await (const chunk of createChatModel(settings, dialectOf(window)).stream(request, options)) {
      hasText ||= chunk.type === 'text';
      if (chunk.type === 'tool-call' || chunk.type === 'finish') held.push(chunk);
      // Calls arrive whole, and a reply to a cut prompt is asked for again.
      else if (chunk.type !== 'call-part') yield chunk;
    }
    if (!isCut(held, window)) return yield* held;
    windows.set(key, Math.min(window * 2, most));
    if (window < most && !hasText) continue;
    if (hasCalls(held)) throw tooLong(settings.name, [promptCount(held), window], advice);
    return yield* [cutNotice(window), ...held];
  }
}

function dialectOf(window: number): ChatDialect {
  return {
    accept: 'application/x-ndjson',
    writeUrl: (endpoint) => new URL(`${endpoint}/api/chat`),
    writeBody: (request, settings) => writeOllamaBody(request, settings, window),
    createLines: createJsonLines,
    parseEvent: parseOllamaEvent,
    isWhole: () => false,
  };
}

/** `extra_body: { options: { num_ctx } }` of the file wins over our own count. */
function fixedWindow(extraBody: JsonObject | undefined): number | undefined {
  const size = isObject(extraBody?.options) ? extraBody.options.num_ctx : undefined;
  return typeof size === 'number' && size > 0 ? size : undefined;
}

/** Only a count that reaches the window proves a cut: some versions leave cached tokens out. */
function isCut(end: readonly ModelChunk[], window: number): boolean {
  return promptCount(end) >= window;
}

function promptCount(end: readonly ModelChunk[]): number {
  const finish = end.at(-1);
  return finish?.type === 'finish' ? (finish.usage?.prompt_tokens ?? 0) : 0;
}

function hasCalls(end: readonly ModelChunk[]): boolean {
  return end.some(({ type }) => type === 'tool-call');
}

function cutNotice(window: number): ModelChunk {
  return {
    type: 'notice',
    text: `Ollama left out the beginning of the conversation: its window holds ${window.toLocaleString('en')} tokens. Raise limits.context_tokens, or start a new conversation.`,
  };
}

const LARGER_MODEL = 'choose a model with a larger window, such as ollama/qwen3, in model.name or with `holodeck use`';

function tooLong(name: string, [prompt, window]: readonly [number, number], advice: string) {
  const author = `The instructions, tools and messages (about ${prompt.toLocaleString('en')} tokens) do not fit into the window of ${name} (${window.toLocaleString('en')} tokens): ${advice}.`;
  return modelError('context_too_long', { author });
}

const SHOW_MS = 5_000;
/** Licences and lists of tensors stand before the facts that we read. */
const MAX_SHOWN_CHARS = 4_000_000;

async function askShow({ post, base, settings }: Connection, signal: AbortSignal): Promise<ShownModel> {
  const late = new AbortController();
  const cancel = settings.clock.after(SHOW_MS, () => late.abort());
  const limited = AbortSignal.any([signal, late.signal]);
  const key = settings.apiKey && { authorization: `Bearer ${settings.apiKey}` };
  const headers = { 'content-type': 'application/json', 'user-agent': 'holodeck', ...key, ...settings.headers };
  const body = JSON.stringify({ model: settings.name });
  try {
    const reply = await post({ url: new URL(`${base}/api/show`), headers, body, signal: limited });
    const text = await readStart(reply, { signal: limited, clock: settings.clock, maxChars: MAX_SHOWN_CHARS });
    return reply.status === 200 ? readShown(text) : {};
  } finally {
    cancel();
  }
}
