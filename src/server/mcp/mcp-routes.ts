import { AppError } from '../../errors.ts';
import type { ChatTurn } from '../../runtime/turn/turn.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import type { HttpReply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import { untilRead } from '../stream/event-output.ts';
import { takeStream } from '../stream/open-stream.ts';
import { createAgentServer } from './agent-server.ts';
import { authOf, optionsIn } from './mcp-call.ts';
import { createOldSessions } from './old-sessions.ts';
import { MCP_PATH, METADATA_PATH, resourceMetadata } from './resource-metadata.ts';
import { sendWebResponse, toWebRequest } from './web-exchange.ts';

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
    const ready = () => untilRead(reply.raw, timing.stallMs);
    const authInfo = authOf({ runtime, takeTurn, user, onTurn, ready });
    const answered = (await sdk.isLegacyRequest(web, body))
      ? await old.handle(web, { user, body, authInfo })
      : undefined;
    return answered ?? handler.fetch(web, { parsedBody: body, authInfo });
  };
}
