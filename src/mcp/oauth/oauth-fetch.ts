import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { FetchLike } from '@modelcontextprotocol/client';
import { parseJson } from '../../schema/json.ts';
import { type AddressRules, checkAddress, createGuardedLookup, RefusedAddress } from './address-guard.ts';

/** Documents of authorization servers have a few kilobytes. */
const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 15_000;
const NO_BODY = [204, 205, 304];

export interface OAuthFetchOptions {
  rules: AddressRules;
  signal?: AbortSignal;
  timeoutMs?: number;
}

/**
 * A `fetch` for metadata, registration, tokens and revocation. It calls checked addresses only, follows no redirect
 * (the SDK follows those within an origin, through this function again), and reads short JSON documents. Of an error it
 * passes on the code alone: the text of a server could repeat a token, and the SDK logs it.
 */
export function createOAuthFetch({ rules, signal, timeoutMs = TIMEOUT_MS }: OAuthFetchOptions): FetchLike {
  return async (input, init = {}) => {
    const url = new URL(input);
    checkAddress(url, rules);
    const limits = [AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : []), ...(init.signal ? [init.signal] : [])];
    const answer = await send(url, init, { rules, signal: AbortSignal.any(limits) });
    const status = answer.statusCode ?? 500;
    const headers = new Headers();
    for (const name of ['content-type', 'location', 'www-authenticate']) {
      const value = answer.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const text = await readText(answer, url);
    return new Response(NO_BODY.includes(status) ? null : bodyOf(status, text, url), { status, headers });
  };
}

function send(
  url: URL,
  init: RequestInit,
  { rules, signal }: { rules: AddressRules; signal: AbortSignal },
): Promise<IncomingMessage> {
  const body = init.body === undefined || init.body === null ? undefined : String(init.body);
  const options = {
    method: init.method ?? 'GET',
    headers: Object.fromEntries(new Headers(init.headers)),
    lookup: createGuardedLookup(url, rules),
    signal,
    agent: false,
  };
  return new Promise((resolve, reject) => {
    const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, resolve);
    sent.on('error', (error) => reject(toFailure(error, url)));
    sent.end(body);
  });
}

async function readText(answer: IncomingMessage, url: URL): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BYTES) throw new RefusedAddress(`${url.host} sent more than ${MAX_BYTES / 1024} KB for a login.`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw toFailure(error, url);
  } finally {
    answer.destroy();
  }
  return Buffer.concat(chunks).toString('utf8');
}

function bodyOf(status: number, text: string, { host }: URL): string {
  const value = parseJson(text);
  if (status >= 200 && status < 300) {
    if (value === undefined && text !== '') throw new RefusedAddress(`${host} does not answer a login with JSON.`);
    return text;
  }
  const error = typeof value === 'object' && value !== null && 'error' in value ? value.error : undefined;
  const isCode = typeof error === 'string' && /^[a-z_]{1,60}$/.test(error);
  return JSON.stringify({ error: isCode ? error : 'server_error' });
}

function toFailure(error: unknown, { host }: URL): TypeError {
  if (error instanceof RefusedAddress) return error;
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return new RefusedAddress(`${host} could not be reached for the login${code}.`);
}
