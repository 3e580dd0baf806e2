import { Readable } from 'node:stream';
import { setImmediate as nextRound } from 'node:timers/promises';
import * as z from 'zod';
import type { HttpReply, Post } from '../../models/http-post.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import { Json, type JsonObject, parseJson } from '../../schema/json.ts';
import { hashOf } from './cassette.ts';
import { cleanPieces } from './clean-pieces.ts';

/** Bytes of a reply: text, or base64 where a piece is not whole text. */
const Piece = z.union([z.string(), z.strictObject({ base64: z.string() })]);
type Piece = z.infer<typeof Piece>;

/** A reply over HTTP as it arrived. */
const WireReply = z.union([
  z.strictObject({
    status: z.number(),
    headers: z.record(z.string(), z.string()),
    /** Each with its milliseconds since the recording began. */
    pieces: z.array(z.tuple([z.number(), Piece])),
    /** The error with which the body broke. */
    broken: z.string().optional(),
  }),
  /** There was no reply. */
  z.strictObject({ error: z.string(), code: z.string().optional() }),
]);

type PostOptions = Parameters<Post>[0];

/** The parts of a request that decide its reply; headers hold keys. */
function wireRequest({ url, body }: PostOptions): JsonObject {
  return { url: url.href, body: Json.safeParse(parseJson(body, shortenData)).data ?? body };
}

const DATA = /^(?:data:[\w/+.-]+;base64,)?[\w+/-]{2000,}={0,2}$/;

/** Pictures are recorded by their hash: a cassette stays small, and another picture is still noticed. */
function shortenData(_key: string, value: unknown): unknown {
  return typeof value === 'string' && DATA.test(value) ? `sha256:${hashOf(value)}` : value;
}

export interface PostRecorder {
  keep(request: JsonObject, reply: Json): void;
  elapsedMs(): number;
  redactor: Redactor;
}

/**
 * Sends requests and keeps every reply, byte by byte with its times. The reader gets what is recorded: bytes without secrets.
 * The provider gets the original values.
 */
export function recordPost(post: Post, { keep, elapsedMs, redactor }: PostRecorder): Post {
  return async (options) => {
    const request = wireRequest(options);
    const sent = { ...options, body: redactor.restore(options.body) };
    const reply = await post(sent).catch((error: NodeJS.ErrnoException) => {
      error.message = redactor.text(error.message);
      const { message, code } = error;
      keep(request, { error: message, ...(code !== undefined && { code }) });
      throw error;
    });
    const headers = redactor.json(keptHeaders(reply));
    const pieces: [number, Piece][] = [];
    let isKept = false;
    const finish = (broken?: string) => {
      if (isKept) return;
      isKept = true;
      keep(request, { status: reply.status, headers, pieces, ...(broken !== undefined && { broken }) });
    };
    const clean = cleanPieces(reply.body, redactor);
    const body = createPieces(async () => {
      try {
        const { done, value } = await clean.next();
        if (done) return void finish();
        pieces.push([elapsedMs(), toPiece(value)]);
        return value;
      } catch (error) {
        finish(redactor.text(error instanceof Error ? error.message : String(error)));
        throw error;
      }
    });
    return {
      ...reply,
      headers: { ...reply.headers, ...headers },
      body,
      release() {
        finish();
        reply.release();
      },
      close() {
        finish();
        body.on('error', () => {}).destroy();
        reply.close();
      },
    };
  };
}

/** Answers requests from a recording. `take` throws if there is no reply for a request. */
export function replayPost(take: (request: JsonObject) => Json): Post {
  return async (options) => {
    let found: Json;
    try {
      found = take(wireRequest(options));
    } catch {
      // A refusal ends the turn at once; an error would be tried again.
      return toReply({ status: 400, headers: {}, pieces: [[0, '{"error":{"message":"not recorded"}}']] });
    }
    const reply = WireReply.parse(found);
    if ('error' in reply) throw Object.assign(new Error(reply.error), reply.code && { code: reply.code });
    return toReply(reply);
  };
}

type Received = Extract<z.infer<typeof WireReply>, { status: number }>;

function toReply({ status, headers, pieces, broken }: Received): HttpReply {
  const left = pieces.map(([, piece]) => fromPiece(piece));
  const body = createPieces(async () => {
    const piece = left.shift();
    if (piece === undefined && broken !== undefined) throw new Error(broken);
    return piece;
  });
  return { status, headers, body, release() {}, close: () => void body.on('error', () => {}).destroy() };
}

/** A stream that gives one piece per read and round, so that a recorded and a repeated reply are cut in the same places. */
function createPieces(next: () => Promise<Uint8Array | undefined>): Readable {
  return new Readable({
    highWaterMark: 1,
    read() {
      nextRound()
        .then(next)
        .then(
          (piece) => this.push(piece ?? null),
          (error: Error) => this.destroy(error),
        );
    },
  });
}

/** Headers that decide how a reply is read; the body is decompressed already. */
const KEPT = ['content-type', 'retry-after', 'location'] as const;

function keptHeaders({ headers }: HttpReply): Record<string, string> {
  return Object.fromEntries(KEPT.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
}

function toPiece(value: Uint8Array | string): Piece {
  const bytes = Buffer.from(value as Uint8Array); // a string is copied as UTF-8 as well
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? text : { base64: bytes.toString('base64') };
}

function fromPiece(piece: Piece): Buffer {
  return typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece.base64, 'base64');
}
