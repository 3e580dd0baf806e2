import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { ListenOptions, Socket } from 'node:net';
import { AppError } from '../../errors.ts';
import type { HttpSink, HttpSource } from './exchange.ts';
import { isLingering, NodeSink, toNodeSource } from './node-exchange.ts';
import { HttpReply } from './reply.ts';
import { HttpRequest } from './request.ts';

/** The return value is sent as the response, unless the handler has sent one itself. */
type Handler<Params = unknown> = (request: HttpRequest<Params>, reply: HttpReply) => unknown;
export type Hook = (request: HttpRequest, reply: HttpReply) => unknown;
type ReadBody = (request: HttpRequest, reply: HttpReply) => Promise<unknown>;

const BODY_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

export interface HttpAppOptions extends ServerOptions {
  trustsProxy: boolean;
  /** The path below which an app serves the routes. */
  base?: string;
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
  /** Answers one exchange, whoever accepted it. */
  answer(source: HttpSource, sink: HttpSink): void;
  listen(address: ListenOptions): Promise<void>;
  /** Accepts no new connections; resolves when the last connection has ended. */
  close(): Promise<void>;
}

export function createHttpApp(options: HttpAppOptions): HttpApp {
  const { trustsProxy, base = '', onError, onNotFound, onBrokenRequest, admitBody, ...rest } = options;
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

  function exchange(source: HttpSource, sink: HttpSink): void {
    const request = new HttpRequest<unknown>(source, {}, { trustsProxy, base });
    const reply = new HttpReply(sink, request);
    if (isClosing) reply.header('connection', 'close');
    answer(request, reply).catch((error) => {
      settleFailure(reply, () => onError(error, request, reply));
    });
  }

  function take(raw: IncomingMessage, response: ServerResponse, asksForBody = false): void {
    if (isLingering(raw)) return;
    response.on('close', () => isClosing && server.closeIdleConnections());
    exchange(toNodeSource(raw), new NodeSink(response, asksForBody));
  }

  const server = createServer(rest, (raw, response) => take(raw, response));
  server.on('clientError', onBrokenRequest);
  server.on('checkContinue', (raw, response) => take(raw, response, true));
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
    answer: exchange,
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

/** Sends the error. A response that has begun can only be cut. */
function settleFailure(reply: HttpReply, sendError: () => unknown): void {
  const hasBegun = reply.isDone;
  const { source } = reply.request;
  if (!source.isComplete) {
    reply.header('connection', 'close');
    source.refuseBody();
  }
  sendError();
  if (hasBegun && !reply.sink.isEnded) reply.sink.destroy();
  source.body.resume();
}

/** Selects the reader by media type. A body that will be refused is not requested from the client. */
async function readBody(
  { readers, admitBody }: { readers: ReadonlyMap<string, ReadBody>; admitBody: HttpAppOptions['admitBody'] },
  request: HttpRequest,
  reply: HttpReply,
): Promise<unknown> {
  if (!request.source.hasBody) return undefined;
  const { 'content-type': type, 'content-encoding': encoding = 'identity', expect } = request.headers;
  const read = readers.get(type?.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  if (!read) throw new AppError('unsupported_media_type', { detail: 'Send application/json.' });
  if (encoding !== 'identity') throw new AppError('unsupported_media_type', { detail: 'Send the body uncompressed.' });
  const place = admitBody?.(request);
  try {
    if (expect !== undefined) reply.sink.askForBody();
    return await read(request, reply);
  } finally {
    place?.release();
  }
}

const MAX_PARAM_CHARS = 200;

interface Found<Target> {
  target: Target;
  /** The route as it was added, such as /sessions/:id. */
  route: string;
  params: Record<string, string>;
}

interface Route<Target> {
  method: string;
  route: string;
  segments: readonly string[];
  target: Target;
}

/** Finds the target for a method and a path; `:name` matches one segment, and a trailing slash is ignored. */
export interface Router<Target> {
  add(method: string, route: string, target: Target): void;
  find(method: string, path: string): Found<Target> | undefined;
  readonly routes: readonly { method: string; route: string }[];
}

export function createRouter<Target>(): Router<Target> {
  const routes: Route<Target>[] = [];
  return {
    routes,
    add: (method, route, target) => void routes.push({ method, route, segments: route.split('/'), target }),
    find(method, path) {
      const segments = splitPath(path);
      for (const { segments: wanted, route, target, ...each } of routes) {
        const params = segments && each.method === method ? matchSegments(wanted, segments) : undefined;
        if (params) return { target, route, params };
      }
      return undefined;
    },
  };
}

/** Returns undefined for a path that cannot be decoded, which then matches no route. */
function splitPath(path: string): string[] | undefined {
  try {
    const segments = path.split('/').map(decodeURIComponent);
    return segments.length > 2 && segments.at(-1) === '' ? segments.slice(0, -1) : segments;
  } catch {
    return undefined;
  }
}

function matchSegments(wanted: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (wanted.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const segment = segments[index] ?? '';
    const isParam = part.startsWith(':');
    if (isParam ? segment === '' || segment.length > MAX_PARAM_CHARS : segment !== part) return undefined;
    if (isParam) params[part.slice(1)] = segment;
  }
  return params;
}
