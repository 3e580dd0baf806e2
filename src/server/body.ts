import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';

/** Deeper than any request of ours, and far from what a parser or a validator could choke on. */
export const MAX_DEPTH = 64;

/** Reads bodies: JSON that is valid UTF-8 and not too deep, and nothing else. */
export function addBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    try {
      const text = readText(body);
      if (text.trim() === '') throw malformed('The body is empty. Send a JSON object.');
      checkDepth(text);
      parse(request, text, done);
    } catch (error) {
      done(error as Error); // readText and checkDepth throw AppErrors only
    }
  });
}

function readText(body: Buffer): string {
  if (!isUtf8(body)) throw malformed('The body is not valid UTF-8.');
  return body.toString('utf8');
}

/** Counts brackets outside of strings, before anything is built from them. */
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

/** Strings are stepped over in one search, so that an attached file costs nothing. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at);
    if (at === -1) return text.length;
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return at;
  }
}

function malformed(detail: string): AppError {
  return new AppError('malformed_body', { detail });
}
