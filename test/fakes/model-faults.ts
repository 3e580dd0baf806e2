import { readFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { ErrorCode } from '../../src/errors.ts';
import {
  EVENT_STREAM,
  type FakeModelServer,
  type FakeReply,
  sendPieces,
  sendStatus,
  startModelServer,
} from './model-server.ts';
import { findText, type WireProtocol } from './wire-protocols.ts';

/** A way in which a provider can fail, and the expected outcome. */
export interface ModelFault {
  name: string;
  code: ErrorCode;
  /** Number of requests to the model. */
  tries: number;
  /** The message for the agent's author; HOST stands for the provider's host and port. */
  says: string;
  /** True if a part of the answer was already shown. */
  afterText?: boolean;
  /** True if the fault transfers many bytes: its duration depends on the machine. */
  isBusy?: boolean;
  /** True if the server answers well once the fault is over. */
  recovers?: boolean;
  start(protocol: WireProtocol): Promise<FakeModelServer>;
}

type Row = Omit<ModelFault, 'start' | 'recovers'>;

const BROKEN_OFF = 'The model at HOST broke off in the middle of its reply. Please try again.';
const STOPPED = 'The model at HOST stopped in the middle of its reply. Please try again.';
const UNREADABLE = 'The model at HOST sent a reply that could not be read. Please try again.';
const EMPTY = 'The model at HOST sent an empty reply. Please try again.';
const BUSY = 'The model at HOST is busy (status 429). Please try again in';
const IN_TIME =
  'within 30 s. If it needs longer, raise model.timeout_seconds (and the limits of loop that the file sets).';
const HTML = '<!doctype html><title>Sign in</title><p>Welcome to the airport network</p>';
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();
const outage = (status: number) => `The model at HOST failed (status ${status}). Please try again in a moment.`;

/** The provider faults of docs/reference/faults.md. */
export const MODEL_FAULTS: readonly ModelFault[] = [
  answer({ name: '429 without Retry-After', code: 'model_rate_limited', tries: 3, says: `${BUSY} a moment.` }, () =>
    sendStatus(429),
  ),
  answer({ name: '429 with Retry-After in seconds', code: 'model_rate_limited', tries: 3, says: `${BUSY} 4 s.` }, () =>
    sendStatus(429, '', { 'retry-after': '4' }),
  ),
  answer(
    { name: '429 with Retry-After as a date', code: 'model_rate_limited', tries: 1, says: `${BUSY} 60 minutes.` },
    () => sendStatus(429, '', { 'retry-after': inSeconds(3600) }),
  ),
  answer(
    {
      name: '429 with a Retry-After beyond the deadline',
      code: 'model_rate_limited',
      tries: 1,
      says: `${BUSY} 2 minutes.`,
    },
    () => sendStatus(429, '', { 'retry-after': '120' }),
  ),
  ...[500, 502, 503].map((status) =>
    answer({ name: String(status), code: 'model_unavailable', tries: 3, says: outage(status) }, () =>
      sendStatus(status, HTML),
    ),
  ),
  answer(
    {
      name: 'key refused',
      code: 'model_key_refused',
      tries: 1,
      says: "HOST refused the key of model.api_key for PROVIDER (status 401). Check that it is whole, still valid, and meant for this address. The provider's answer: Incorrect API key provided: [redacted] ([redacted]).",
    },
    () => sendStatus(401, '{"error":{"message":"Incorrect API key provided: test-key (sk-abc123def456)."}}'),
  ),
  answer(
    {
      name: '404, no such model',
      code: 'model_refused',
      tries: 1,
      says: 'HOST knows no model "MODEL" at this address (status 404). Check model.name and model.endpoint.',
    },
    () => sendStatus(404),
  ),
  answer(
    {
      name: 'redirect',
      code: 'model_refused',
      tries: 1,
      says: 'HOST redirects to another address to elsewhere.example (status 307). The redirect is not followed, because it would receive the key. Put the final address into model.endpoint.',
    },
    () => sendStatus(307, '', { location: 'https://elsewhere.example/v1' }),
  ),
  {
    name: 'connection refused',
    code: 'model_unavailable',
    tries: 3,
    says: 'Nothing answers at HOST. Is it running? Check model.endpoint.',
    async start() {
      const server = await startModelServer([]);
      await server[Symbol.asyncDispose]();
      return { ...server, [Symbol.asyncDispose]: async () => {} };
    },
  },
  {
    name: 'https to a plain port',
    code: 'model_unavailable',
    tries: 3,
    says: 'No secure connection to HOST could be made. Check that model.endpoint begins with the right http or https.',
    async start() {
      const server = await startModelServer([]);
      return { ...server, url: server.url.replace('http:', 'https:') };
    },
  },
  {
    name: 'certificate that is not trusted',
    code: 'model_unavailable',
    tries: 3,
    says: 'The certificate of HOST is not trusted, so nothing was sent. Check model.endpoint.',
    start() {
      const pem = readFileSync(new URL('../fixtures/wire/self-signed.pem', import.meta.url), 'utf8');
      return startModelServer([], { key: pem, cert: pem });
    },
  },
  {
    name: 'a server that speaks no HTTP',
    code: 'model_bad_reply',
    tries: 3,
    says: 'The model at HOST did not answer with HTTP. Check model.endpoint.',
    start: () => startRawServer('SSH-2.0-OpenSSH_9.7\r\n'),
  },
  answer(
    {
      name: 'connection closed before the reply',
      code: 'model_unavailable',
      tries: 3,
      says: 'The connection to HOST was closed before the reply came. Please try again in a moment.',
    },
    () => (response) => void response.destroy(),
  ),
  answer(
    {
      name: 'hang before the first byte',
      code: 'model_timeout',
      tries: 1,
      says: `MODEL did not start to answer ${IN_TIME}`,
    },
    () => () => {},
  ),
  answer(
    {
      name: 'hang after the headers',
      code: 'model_timeout',
      tries: 1,
      says: `MODEL did not start to answer ${IN_TIME}`,
    },
    () => sendAndHang(),
  ),
  answer(
    {
      name: 'hang in mid-stream',
      code: 'model_timeout',
      tries: 1,
      says: `MODEL did not finish its reply ${IN_TIME}`,
      afterText: true,
    },
    (protocol) => sendAndHang(protocol.reply.subarray(0, findText(protocol).end)),
  ),
  answer({ name: 'stream cut', code: 'model_bad_reply', tries: 1, says: BROKEN_OFF, afterText: true }, (protocol) =>
    sendAndCut(protocol.reply.subarray(0, findText(protocol).end)),
  ),
  answer(
    { name: 'stream ended early', code: 'model_bad_reply', tries: 1, says: STOPPED, afterText: true },
    (protocol) => sendPieces([protocol.reply.subarray(0, findText(protocol).end)]),
  ),
  answer({ name: 'half a JSON line', code: 'model_bad_reply', tries: 3, says: UNREADABLE }, (protocol) =>
    sendPieces([protocol.reply.subarray(0, protocol.reply.indexOf('data: {') + 30), '\n\n']),
  ),
  answer(
    {
      name: 'HTML instead of JSON',
      code: 'model_bad_reply',
      tries: 3,
      says: 'The model at HOST answered with a web page instead of a reply. Check model.endpoint, and whether a proxy is in between.',
    },
    () => sendStatus(200, HTML, { 'content-type': 'text/html; charset=utf-8' }),
  ),
  answer({ name: 'empty reply', code: 'model_bad_reply', tries: 3, says: EMPTY }, () =>
    sendStatus(200, '', EVENT_STREAM),
  ),
  answer(
    {
      name: 'broken compression',
      code: 'model_bad_reply',
      tries: 3,
      says: 'The model at HOST sent a compressed reply that could not be read.',
    },
    () => sendStatus(200, 'this is not gzip', { ...EVENT_STREAM, 'content-encoding': 'gzip' }),
  ),
  answer(
    {
      name: 'line of 10 MB',
      code: 'model_bad_reply',
      tries: 3,
      says: 'The model at HOST sent a line that is too long to be part of a reply.',
    },
    () => sendStatus(200, `data: {"x":"${'x'.repeat(10_000_000)}"}\n\n`, EVENT_STREAM),
  ),
  answer(
    {
      name: 'endless stream',
      code: 'model_bad_reply',
      tries: 1,
      says: 'The model at HOST sent a reply without an end.',
      afterText: true,
      isBusy: true,
    },
    sendEndlessly,
  ),
];

/** Oddities of HTTP that are not faults: the reply is read anyway. */
export const HARMLESS: readonly { name: string; start: ModelFault['start'] }[] = [
  {
    name: 'gzip body',
    start: ({ reply }) =>
      startModelServer([sendStatus(200, gzipSync(reply), { ...EVENT_STREAM, 'content-encoding': 'gzip' })]),
  },
  {
    name: '1xx before the reply',
    start: ({ reply }) =>
      startModelServer([
        (response) => {
          response.writeContinue();
          response.writeProcessing();
          response.writeEarlyHints({ link: '</style.css>; rel=preload' });
          return sendPieces([reply])(response);
        },
      ]),
  },
];

function answer(row: Row, reply: (protocol: WireProtocol) => FakeReply): ModelFault {
  const repeat = (protocol: WireProtocol) => Array.from({ length: row.tries }, () => reply(protocol));
  return {
    ...row,
    recovers: true,
    start: (protocol) => startModelServer([...repeat(protocol), sendPieces([protocol.reply])]),
  };
}

function sendAndHang(bytes?: Uint8Array): FakeReply {
  return (response) => {
    response.writeHead(200, EVENT_STREAM);
    response.flushHeaders();
    if (bytes) response.write(bytes);
  };
}

function sendAndCut(bytes: Uint8Array): FakeReply {
  return (response) => {
    response.writeHead(200, EVENT_STREAM);
    response.write(bytes, () => setTimeout(() => response.destroy(), 50));
  };
}

/** Repeats a long text event of the protocol until the reader leaves. */
function sendEndlessly(protocol: WireProtocol): FakeReply {
  const { start, end } = findText(protocol);
  const event = protocol.reply.subarray(start, end).toString().replace('🥛', '🥛'.repeat(16_000));
  return (response) => {
    response.writeHead(200, EVENT_STREAM);
    response.write(protocol.reply.subarray(0, end));
    const send = () => {
      while (!response.destroyed && response.write(event));
    };
    response.on('drain', send);
    send();
  };
}

async function startRawServer(bytes: string): Promise<FakeModelServer> {
  const requests: FakeModelServer['requests'] = [];
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      requests.push({ path: '', headers: {}, body: null, remotePort: socket.remotePort });
      socket.end(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listens on a port, not on a pipe
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `http://127.0.0.1:${port}`, requests, [Symbol.asyncDispose]: close };
}
