import type { IncomingMessage } from 'node:http';
import { isObject, type Json, parseJson } from '../schema/json.ts';
import { Provider, providerFacts } from '../schema/provider.ts';
import { isLoopback } from '../schema/scalars.ts';

/** A model server on this machine, with its models: none if nothing was downloaded yet. */
export interface LocalServer {
  provider: Provider;
  title: string;
  /** Set if the server is not at the provider's default address. */
  endpoint?: string;
  models: readonly LocalModel[];
}

interface LocalModel {
  name: string;
  /** Whether the model can call tools; absent if the server does not say. */
  hasTools?: boolean;
  contextTokens?: number;
}

export interface FindOptions {
  signal?: AbortSignal;
  env?: Readonly<Record<string, string | undefined>>;
  /** Base addresses in place of the default ones; addresses outside this machine are not asked. */
  addresses?: Partial<Record<Provider, string>>;
  /** Limit of each request; default 300 ms. */
  waitMs?: number;
}

/** For a command that a person waits for. */
export const PATIENT = { waitMs: 3_000 };

const REQUEST_MS = 300;
const MAX_CHARS = 4_000_000;
/** Models of one server whose facts are read. */
const SHOWN_MODELS = 5;

/** Asks the usual loopback addresses for model servers, each request for at most `waitMs`. Never throws. */
export async function findLocalServers(options: FindOptions = {}): Promise<LocalServer[]> {
  const found = await Promise.all(Provider.options.map((provider) => findServer(provider, options)));
  return found.filter((server) => server !== undefined);
}

async function findServer(provider: Provider, options: FindOptions): Promise<LocalServer | undefined> {
  const { listing, endpoint } = providerFacts(provider);
  if (!listing || !endpoint) return undefined;
  const usual = new URL(endpoint).origin;
  const base = options.addresses?.[provider] ?? (provider === 'ollama' ? ollamaHost(options.env) : undefined) ?? usual;
  const list = await askLoopback({ url: new URL(listing.path, base), ...options });
  if (!isObject(list)) return undefined;
  const entries = list.data ?? list.models;
  if (!Array.isArray(entries)) return undefined;
  const listed = readList(entries);
  const models = await Promise.all(
    listed.map(async (model, index) => ({
      ...model,
      ...(provider === 'ollama' && index < SHOWN_MODELS && (await readFacts(base, model.name, options))),
    })),
  );
  return { provider, title: listing.title, ...(base !== usual && { endpoint: base }), models };
}

/** Ollama's own variable, which may leave out the scheme and the port. */
function ollamaHost({ OLLAMA_HOST: host }: FindOptions['env'] = process.env): string | undefined {
  if (!host) return undefined;
  const url = URL.parse(/^https?:/.test(host) ? host : `http://${host}`);
  if (!url || !isLoopback(url.hostname)) return undefined;
  return /:\d+\/?$/.test(host) ? url.origin : `http://${url.hostname}:11434`;
}

/** Models for conversations; llama.cpp also says with which window it loaded its own. */
function readList(entries: readonly Json[]): LocalModel[] {
  return entries.filter(isObject).flatMap(({ name, id, meta }) => {
    const known = name ?? id;
    if (typeof known !== 'string' || /embed/i.test(known)) return [];
    const size = isObject(meta) ? meta.n_ctx : undefined;
    return [{ name: known, ...(typeof size === 'number' && { contextTokens: size }) }];
  });
}

async function readFacts(base: string, name: string, options: FindOptions): Promise<Partial<LocalModel>> {
  const shown = await askLoopback({
    url: new URL('/api/show', base),
    body: JSON.stringify({ model: name }),
    ...options,
  });
  if (!isObject(shown)) return {};
  const { capabilities, model_info: info } = shown;
  const size = isObject(info) ? info[`${info['general.architecture']}.context_length`] : undefined;
  return {
    ...(Array.isArray(capabilities) && { hasTools: capabilities.includes('tools') }),
    ...(typeof size === 'number' && { contextTokens: size }),
  };
}

interface Question {
  url: URL;
  body?: string;
  signal?: AbortSignal | undefined;
  waitMs?: number;
}

/** Returns the JSON of a reply; undefined without one. Asks this machine only, past every proxy. */
export function askLoopback({ url, body, signal, waitMs = REQUEST_MS }: Question): Promise<Json | undefined> {
  if (!isLoopback(url.hostname) || signal?.aborted) return Promise.resolve(undefined);
  // Loaded on demand: importing node:http takes most of the start-up time.
  const http = process.getBuiltinModule('node:http');
  const limit = AbortSignal.timeout(waitMs);
  return new Promise((resolve) => {
    const request = http.request(url, {
      method: body === undefined ? 'GET' : 'POST',
      agent: new http.Agent(),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      headers: {
        accept: 'application/json',
        'user-agent': 'holodeck',
        ...(body && { 'content-type': 'application/json' }),
      },
    });
    request.on('error', () => resolve(undefined));
    request.on('response', async (response) => resolve(await readJson(response).catch(() => undefined)));
    request.end(body);
  });
}

async function readJson(response: IncomingMessage): Promise<Json | undefined> {
  let text = '';
  for await (const piece of response.setEncoding('utf8')) {
    text += piece;
    if (text.length > MAX_CHARS) return undefined;
  }
  return response.statusCode === 200 ? parseJson(text) : undefined;
}
