import type {
  AuthInfo,
  Server,
  WebStandardStreamableHTTPServerTransport as Transport,
} from '@modelcontextprotocol/server';
import { AppError } from '../../errors.ts';
import { systemIds } from '../../ids.ts';
import type { ChatTurn } from '../../runtime/turn/turn.ts';
import type { ServerConfig } from '../../schema/agent.ts';
import type { User } from '../../schema/user.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import type { HttpReply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import { takeStream } from '../stream/open-stream.ts';
import { createAgentServer } from './agent-server.ts';
import { authOf, optionsIn, type Sdk } from './mcp-call.ts';

/** The agents as an MCP server over Streamable HTTP, and the metadata by which its clients find the issuer of tokens. */
export function addMcpRoutes(app: HttpApp, deps: ServerDeps): void {
  let opening: ReturnType<typeof openFace> | undefined;
  app.post(MCP_PATH, async (request, reply) => {
    takeStream(reply, deps);
    opening ??= openFace(deps);
    const handle = await opening;
    await sendWebResponse(reply, await handle(request, reply), deps.timing.stallMs);
  });
  const describe = (request: HttpRequest) => {
    const metadata = resourceMetadata(deps.server, request);
    if (metadata) return metadata;
    throw new AppError('not_found', { detail: 'This server has no authentication.' });
  };
  app.get(METADATA_PATH, describe);
  app.get(`${METADATA_PATH}${MCP_PATH}`, describe);
}

/** Loads the protocol with the first request. */
async function openFace(deps: ServerDeps) {
  const sdk = await import('@modelcontextprotocol/server');
  const { runtime, takeTurn, timing, stopping } = deps;
  const old = createOldSessions(sdk, (user) => createAgentServer({ runtime, takeTurn, user }, sdk));
  const handler = sdk.createMcpHandler(({ authInfo }) => createAgentServer(optionsIn(authInfo), sdk), {
    keepAliveMs: timing.keepaliveMs,
  });
  stopping.addEventListener('abort', () => {
    void old.close();
    void handler.close();
  });

  return async (request: HttpRequest, reply: HttpReply): Promise<Response> => {
    const body = request.takeBody();
    const web = toWebRequest(request, reply);
    const { user } = request;
    const onTurn = ({ conversationId, turnId }: ChatTurn) => {
      request.facts.session_id = conversationId;
      request.facts.turn_id = turnId;
    };
    const ready = () => reply.sink.untilRead(timing.stallMs);
    const authInfo = authOf({ runtime, takeTurn, user, onTurn, ready });
    const answered = (await sdk.isLegacyRequest(web, body))
      ? await old.handle(web, { user, body, authInfo })
      : undefined;
    return answered ?? handler.fetch(web, { parsedBody: body, authInfo });
  };
}

/** A request in the web's shape, without its body, which is already read. A client that leaves aborts it. */
function toWebRequest(request: HttpRequest, reply: HttpReply): Request {
  const left = new AbortController();
  if (reply.sink.isClosed) left.abort();
  reply.sink.onClose(() => left.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
  return new Request(new URL(request.path, 'http://localhost'), {
    method: request.method,
    headers,
    signal: left.signal,
  });
}

/** Sends a response of the web's shape with the headers that every response has. A client that stops reading is dropped. */
async function sendWebResponse(reply: HttpReply, response: Response, stallMs: number): Promise<void> {
  const { sink } = reply;
  sink.writeHead(response.status, { ...reply.hijack(), ...Object.fromEntries(response.headers) });
  for await (const chunk of response.body ?? []) {
    if (sink.isClosed) break;
    sink.write(chunk);
    await sink.untilRead(stallMs);
  }
  sink.dropWhenStalled(stallMs);
  sink.end();
}

const MCP_PATH = '/mcp';
/** RFC 9728. */
const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** The issuer of this server's tokens, for clients that sign in by themselves; undefined without authentication. */
function resourceMetadata({ auth }: ServerConfig, request: HttpRequest): Record<string, unknown> | undefined {
  if (!auth) return undefined;
  const isAddress = /^https?:/.test(URL.parse(auth.jwt.issuer)?.protocol ?? '');
  return {
    resource: request.addressOf(MCP_PATH),
    ...(isAddress && { authorization_servers: [auth.jwt.issuer] }),
    bearer_methods_supported: ['header'],
    resource_name: 'HoloDeck',
  };
}

/** A client of the MCP server learns from the refusal where to sign in. Added before the hook that refuses. */
export function addChallenge(app: HttpApp): void {
  app.addHook((request) => {
    const metadata = ` resource_metadata="${request.addressOf(`${METADATA_PATH}${MCP_PATH}`)}"`;
    request.challenge = `Bearer${request.path === MCP_PATH ? metadata : ''}`;
  });
}

interface OldSession {
  transport: Transport;
  userId: string;
}

/** Above these, the sessions that were used least recently are closed. Their clients are served on without them. */
const MAX_SESSIONS = 1_000;
const MAX_PER_USER = 20;
const SESSION_HEADER = 'mcp-session-id';

interface OldSessions {
  /** Undefined for a request without a session of this process and user; it is served by itself. */
  handle(request: Request, exchange: { user: User; body: unknown; authInfo: AuthInfo }): Promise<Response | undefined>;
  close(): Promise<void>;
}

/**
 * Sessions of clients before 2026-07-28. These clients are asked questions, and cancel calls, by messages that belong to
 * no request, so the server that they belong to is kept in memory.
 */
function createOldSessions(sdk: Sdk, createServer: (user: User) => Server): OldSessions {
  const sessions = new Map<string, OldSession>();
  const drop = async (id: string) => {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.transport.close();
  };
  const begin = async (user: User): Promise<Transport> => {
    const transport: Transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: systemIds.uuid,
      onsessioninitialized(id) {
        sessions.set(id, { transport, userId: user.id });
        const own = [...sessions].filter(([, { userId }]) => userId === user.id);
        const [oldest] = own.length > MAX_PER_USER ? own : sessions.size > MAX_SESSIONS ? [...sessions] : [];
        if (oldest) void drop(oldest[0]);
      },
    });
    await createServer(user).connect(transport);
    return transport;
  };

  return {
    async handle(request, { user, body, authInfo }) {
      const options = { parsedBody: body, authInfo };
      if (sdk.isInitializeRequest(body)) return (await begin(user)).handleRequest(request, options);
      const id = request.headers.get(SESSION_HEADER) ?? '';
      const session = sessions.get(id);
      if (session?.userId !== user.id) return undefined;
      sessions.delete(id);
      sessions.set(id, session);
      if (sdk.isJSONRPCRequest(body)) cancelWhenLeft(session.transport, request, body.id);
      return session.transport.handleRequest(request, options);
    },
    async close() {
      await Promise.all([...sessions.keys()].map(drop));
    },
  };
}

/** These revisions do not count a closed connection as a cancellation; here it is one, as in every front. */
function cancelWhenLeft(transport: Transport, { signal }: Request, requestId: string | number): void {
  signal.addEventListener('abort', () =>
    transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }),
  );
}
