import type {
  AuthInfo,
  Server,
  WebStandardStreamableHTTPServerTransport as Transport,
} from '@modelcontextprotocol/server';
import { systemIds } from '../../ids.ts';
import type { User } from '../../schema/user.ts';
import type { Sdk } from './mcp-call.ts';

interface OldSession {
  transport: Transport;
  userId: string;
}

/** Above these, the sessions that were used least recently are closed. Their clients are served on without them. */
const MAX_SESSIONS = 1_000;
const MAX_PER_USER = 20;
const SESSION_HEADER = 'mcp-session-id';

export interface OldSessions {
  /** Undefined for a request without a session of this process and user; it is served by itself. */
  handle(request: Request, exchange: { user: User; body: unknown; authInfo: AuthInfo }): Promise<Response | undefined>;
  close(): Promise<void>;
}

/**
 * Sessions of clients before 2026-07-28. These clients are asked questions, and cancel calls, by messages that belong to
 * no request, so the server that they belong to is kept in memory.
 */
export function createOldSessions(sdk: Sdk, createServer: (user: User) => Server): OldSessions {
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
