import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { ListenOptions, Socket } from 'node:net';
import { AppError } from '../../errors.ts';
import { isLingering, lingerAfter } from './linger.ts';
import { hasBody } from './read-body.ts';
import { HttpReply } from './reply.ts';
import { HttpRequest } from './request.ts';
import { createRouter } from './router.ts';

/** The return value is sent as the response, unless the handler has sent one itself. */
type Handler<Params = unknown> = (request: HttpRequest<Params>, reply: HttpReply) => unknown;
export type Hook = (request: HttpRequest, reply: HttpReply) => unknown;
type ReadBody = (request: HttpRequest, reply: HttpReply) => Promise<unknown>;

const BODY_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

export interface HttpAppOptions extends ServerOptions {
  trustsProxy: boolean;
  onError(error: unknown, request: HttpRequest, reply: HttpReply): unknown;
  onNotFound: Hook;
  onBrokenRequest(error: Error, socket: Socket): void;
  /** Called before a body is read; throws if the body is not accepted now. Released when the body is complete. */
  admitBody?(request: HttpRequest): { release(): void };
}

/** Routes over node:http: hooks in order, then the body of a POST or PUT by its media type, then the route. */
export interface HttpApp {
  readonly server: Server;
  readonly routes: readonly { method: string; route: string }[];
  get<Params>(route: string, handler: Handler<Params>): void;
  post<Params>(route: string, handler: Handler<Params>): void;
  put<Params>(route: string, handler: Handler<Params>): void;
  patch<Params>(route: string, handler: Handler<Params>): void;
  delete<Params>(route: string, handler: Handler<Params>): void;
  addHook(hook: Hook): void;
  addBodyReader(mediaType: string, read: ReadBody): void;
  listen(address: ListenOptions): Promise<void>;
  /** Accepts no new connections; resolves when the last connection has ended. */
  close(): Promise<void>;
}

export function createHttpApp(options: HttpAppOptions): HttpApp {
  const { trustsProxy, onError, onNotFound, onBrokenRequest, admitBody, ...rest } = options;
  const router = createRouter<Handler>();
  const hooks: Hook[] = [];
  const readers = new Map<string, ReadBody>();
  let isClosing = false;

  async function answer(request: HttpRequest, reply: HttpReply): Promise<void> {
    for (const hook of hooks) {
      await hook(request, reply);
      if (reply.isDone) return;
    }
    const found = router.find(request.method === 'HEAD' ? 'GET' : request.method, request.path);
    request.params = found?.params;
    request.route = found?.route ?? '';
    if (found && BODY_METHODS.has(request.method))
      request.setBody(await readBody({ readers, admitBody }, request, reply));
    const result = await (found?.target ?? onNotFound)(request, reply);
    if (!reply.isDone) reply.send(result);
  }

  function take(rawRequest: IncomingMessage, rawReply: ServerResponse): void {
    if (isLingering(rawRequest)) return;
    const request = new HttpRequest<unknown>(rawRequest, {}, { trustsProxy });
    const reply = new HttpReply(rawReply, request);
    if (isClosing) reply.header('connection', 'close');
    rawReply.on('close', () => isClosing && server.closeIdleConnections());
    answer(request, reply).catch((error) => fail(error, request, reply));
  }

  /** A response that has begun can only be cut. */
  function fail(error: unknown, request: HttpRequest, reply: HttpReply): void {
    const hasBegun = reply.isDone;
    if (!request.raw.complete) {
      reply.header('connection', 'close');
      lingerAfter(request.raw);
    }
    onError(error, request, reply);
    if (hasBegun && !reply.raw.writableEnded) reply.raw.destroy();
    request.raw.resume();
  }

  const server = createServer(rest, take);
  server.on('clientError', onBrokenRequest);
  server.on('checkContinue', take);
  // The casts are safe: a route's params hold exactly the names in its path.
  return {
    server,
    routes: router.routes,
    get: (route, handler) => router.add('GET', route, handler as Handler),
    post: (route, handler) => router.add('POST', route, handler as Handler),
    put: (route, handler) => router.add('PUT', route, handler as Handler),
    patch: (route, handler) => router.add('PATCH', route, handler as Handler),
    delete: (route, handler) => router.add('DELETE', route, handler as Handler),
    addHook: (hook) => void hooks.push(hook),
    addBodyReader: (mediaType, read) => void readers.set(mediaType, read),
    listen: (address) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(address, () => resolve(void server.off('error', reject)));
      }),
    close() {
      isClosing = true;
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Selects the reader by media type. A body that will be refused is not requested from the client. */
async function readBody(
  { readers, admitBody }: { readers: ReadonlyMap<string, ReadBody>; admitBody: HttpAppOptions['admitBody'] },
  request: HttpRequest,
  reply: HttpReply,
): Promise<unknown> {
  if (!hasBody(request.raw)) return undefined;
  const { 'content-type': type, 'content-encoding': encoding = 'identity', expect } = request.headers;
  const read = readers.get(type?.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  if (!read) throw new AppError('unsupported_media_type', { detail: 'Send application/json.' });
  if (encoding !== 'identity') throw new AppError('unsupported_media_type', { detail: 'Send the body uncompressed.' });
  const place = admitBody?.(request);
  try {
    if (expect !== undefined) reply.raw.writeContinue();
    return await read(request, reply);
  } finally {
    place?.release();
  }
}
