import { isUtf8 } from 'node:buffer';
import { AppError } from '../../errors.ts';
import type { HttpApp } from './app.ts';
import type { HttpSource } from './exchange.ts';

const INVALID = 'The body is not valid JSON.';
const POISONED = 'The body has a key named __proto__, or constructor with a prototype. Remove it.';
const FORM_HINT = ' Send files of this size as multipart/form-data.';
/** Deeper than any valid request, and far below the depth that could exhaust a parser or validator. */
export const MAX_DEPTH = 64;

/** Reads JSON bodies that are valid UTF-8 and not nested too deeply. */
export function addJsonReader(app: HttpApp, maxBytes: number): void {
  app.addBodyReader('application/json', async ({ source }) => parseJson(await readBody(source, maxBytes, FORM_HINT)));
}

function parseJson(body: Buffer): unknown {
  const text = readText(body);
  if (text.trim() === '') throw malformed('The body is empty. Send a JSON object.');
  checkDepth(text);
  const value = parseText(text);
  if (/__proto__|constructor|\\u/.test(text) && isPoisoned(value)) throw malformed(POISONED);
  return value;
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformed(INVALID, cause);
  }
}

/** Detects key names that would change an object's prototype when it is copied. */
function isPoisoned(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Object.hasOwn(value, '__proto__')) return true;
  const maker: unknown = Object.hasOwn(value, 'constructor') ? value.constructor : undefined;
  if (typeof maker === 'object' && maker !== null && 'prototype' in maker) return true;
  return Object.values(value).some(isPoisoned);
}

function readText(body: Buffer): string {
  if (!isUtf8(body)) throw malformed('The body is not valid UTF-8.');
  const text = body.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Counts brackets outside strings, before any object is built. */
export function checkDepth(text: string): void {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x5b || code === 0x7b) depth++;
    else if (code === 0x5d || code === 0x7d) depth--;
    if (depth > MAX_DEPTH) throw malformed(`The body is nested deeper than ${MAX_DEPTH} levels.`);
  }
}

/** Skips a string in one search, so that an attached file costs almost nothing. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at);
    if (at === -1) return text.length;
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return at;
  }
}

function malformed(detail: string, cause?: unknown): AppError {
  return new AppError('malformed_body', { detail, cause });
}

/**
 * Returns the whole body. Throws `payload_too_large` as soon as the limit is exceeded; `hint` adds an alternative to
 * the message.
 */
export async function readBody({ headers, body }: HttpSource, maxBytes: number, hint = ''): Promise<Buffer> {
  const tooLarge = () => new AppError('payload_too_large', { detail: `The body is too large.${hint}` });
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) reject(tooLarge());
      else chunks.push(chunk);
    };
    const fail = (reason?: Error) => reject(reason instanceof AppError ? reason : cut());
    body.on('data', take).once('error', fail).once('close', fail);
    body.once('end', () => {
      resolve(Buffer.concat(chunks, size));
      // A stream may stay open long after its request was read.
      body.off('data', take).off('error', fail).off('close', fail);
    });
  });
}

function cut(): AppError {
  return new AppError('malformed_body', { detail: 'The body ended before it was complete.' });
}
