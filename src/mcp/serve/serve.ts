import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../errors.ts';
import { createToolServer, type ServeOptions } from './tool-server.ts';

export type { ServeOptions };

export interface StdioServing {
  /** Settles when the client has gone. */
  closed: Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves tools to the process that started us. Standard output belongs to the protocol: nothing else may write to it.
 */
export async function serveStdio(
  options: ServeOptions,
  streams: { input?: Readable; output?: Writable } = {},
): Promise<StdioServing> {
  const [sdk, stdio] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  const { input = process.stdin, output = process.stdout } = streams;
  const closed = Promise.withResolvers<void>();
  input.once('end', closed.resolve);
  input.once('close', closed.resolve);
  const transport = new stdio.StdioServerTransport(input, output);
  const handle = stdio.serveStdio(({ era }) => createToolServer(options, sdk, era), { transport });
  return {
    closed: closed.promise,
    async close() {
      await handle.close();
      closed.resolve();
    },
  };
}

export interface HttpServing {
  url: string;
  close(): Promise<void>;
}

const PATH = '/mcp';

/** Serves tools over Streamable HTTP to programs on this machine only: there is no login, and web pages are refused. */
export async function serveHttp(options: ServeOptions & { port: number }): Promise<HttpServing> {
  const sdk = await import('@modelcontextprotocol/server');
  const handler = sdk.createMcpHandler(({ era }) => createToolServer(options, sdk, era));
  const names = sdk.localhostAllowedHostnames();
  const server = createServer(
    toNodeListener(async (request) => {
      const refusal =
        sdk.hostHeaderValidationResponse(request, names) ??
        sdk.originValidationResponse(request, sdk.localhostAllowedOrigins());
      if (refusal) return refusal;
      if (new URL(request.url).pathname !== PATH) return new Response(null, { status: 404 });
      return handler.fetch(request);
    }),
  );
  const port = await listen(server, options.port);
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    async close() {
      await handler.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new AppError('port_in_use', { detail: `Port ${port} is in use. Choose another one.`, cause: error });
  });
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

/** Adapts a web-standard handler to node:http; a caller that leaves aborts the request. */
function toNodeListener(handle: (request: Request) => Promise<Response>): RequestListener {
  return async (incoming, outgoing) => {
    const abort = new AbortController();
    outgoing.on('close', () => abort.abort());
    try {
      await send(await handle(toRequest(incoming, abort.signal)), outgoing);
    } catch {
      // The caller has gone, or did not send a valid request.
      if (!outgoing.headersSent) outgoing.writeHead(400);
      outgoing.end();
    }
  };
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  const { method = 'GET', url = '/' } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(url, 'http://127.0.0.1'), {
    method,
    headers,
    signal,
    ...(hasBody && { body: Readable.toWeb(incoming), duplex: 'half' }),
  });
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body) await pipeline(Readable.fromWeb(response.body), outgoing);
  else outgoing.end();
}
