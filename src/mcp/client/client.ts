import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  CallToolResult,
  Client,
  ClientOptions,
  JsonSchemaType,
  JsonSchemaValidator,
  Tool as ListedTool,
} from '@modelcontextprotocol/client';
import type { Clock } from '../../clock.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import type { ToolContext, ToolOutcome } from '../../tools/tool.ts';
import { createValidator } from '../../tools/validate.ts';
import type { OutputLimits } from './budget.ts';
import { answerElicitation } from './elicitation.ts';
import { classifyFailure, type Failure, NO_ANSWER_CODE, UNREADABLE_CODE } from './failure.ts';
import { type Opened, openTransport, type ServerTarget } from './open-transport.ts';
import { toOutcome } from './outcome.ts';

export type { ListedTool };

export interface ConnectOptions {
  clock: Clock;
  limits: OutputLimits;
  version: string;
  /** Limits the start: connecting, negotiating and, for a child, starting it. */
  signal: AbortSignal;
  /** Called when the server reports changed tools, or when such a report may have been dropped. */
  onToolsChanged(): void;
}

/** The end of one call: an outcome, or a failure of the connection, which reveals nothing about the tool. */
export type CallAnswer = { outcome: ToolOutcome } | { failure: Failure };

/** An open connection to one server. */
export interface McpConnection {
  /** Returns all pages. */
  listTools(signal: AbortSignal): Promise<ListedTool[]>;
  /** Rejects only if the context's signal aborts; the server is notified. */
  callTool(name: string, args: JsonObject, context: ToolContext): Promise<CallAnswer>;
  /** Rejects if the server does not answer. */
  ping(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
  /** Settles with the reason when the connection is gone. */
  readonly gone: Promise<string>;
}

/** The call's id; servers that know it can prevent a double effect. */
export const CALL_ID_META = 'holodeck.dev/call-id';
/** The turn and the conversation of the call; our task server undoes a turn as one step. */
export const TURN_ID_META = 'holodeck.dev/turn-id';
export const CONVERSATION_ID_META = 'holodeck.dev/conversation-id';
/** The caller's signal is the deadline, because it pauses while a human thinks; the SDK's timeout does not. */
const NO_TIMEOUT_MS = 2_147_483_647;

/** Connects over the target's transport, with the protocol version that the server supports. */
export async function connectServer(target: ServerTarget, options: ConnectOptions): Promise<McpConnection> {
  const sdk = await import('@modelcontextprotocol/client');
  const contexts = createCallContexts();
  const explain = explainFor(target);
  const opened = await openTransport(target, {
    ...options,
    sdk,
    createClient: () => createClient(new sdk.Client(clientInfo(options), clientOptions(options, sdk)), contexts),
  }).catch(async (error: unknown) => {
    throw await explain(error);
  });
  return createConnection(opened, contexts, { sdk, explain });
}

type Explain = (error: unknown) => Promise<unknown>;

/** Errors about a user's token become a sentence about the login. */
function explainFor(target: ServerTarget): Explain {
  const access = target.transport === 'http' ? target.access : undefined;
  return async (error) => (access ? access.explain(error) : error);
}

function clientInfo(options: ConnectOptions) {
  return { name: 'holodeck', version: options.version };
}

type Sdk = typeof import('@modelcontextprotocol/client');

function clientOptions(options: ConnectOptions, sdk: Sdk): ClientOptions {
  return {
    capabilities: { elicitation: { form: { applyDefaults: true } } },
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: 10_000 } },
    listChanged: { tools: { autoRefresh: false, debounceMs: 500, onChanged: options.onToolsChanged } },
    jsonSchemaValidator: createOutputValidator(sdk),
  };
}

/** Uses the same validator as elsewhere: a pattern in a foreign schema must not block the process. */
function createOutputValidator(sdk: Sdk): NonNullable<ClientOptions['jsonSchemaValidator']> {
  const validator = createValidator({ acceptsTooLarge: true });
  return {
    getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
      return (input) => {
        // The input is JSON from the wire, and T is the caller's type for values of this schema.
        const [problem] = validator.check(schema as JsonObject, input as Json);
        if (!problem) return { valid: true, data: input as T, errorMessage: undefined };
        // The SDK would report wrong arguments, and the model would repeat the effect with other arguments.
        throw new sdk.ProtocolError(UNREADABLE_CODE, `${problem.path} ${problem.message}`.trim());
      };
    },
  };
}

function createClient(client: Client, contexts: CallContexts): Client {
  client.setRequestHandler('elicitation/create', ({ params }) =>
    contexts.ask((context) => answerElicitation(params, context)),
  );
  return client;
}

function createConnection(
  opened: Opened,
  contexts: CallContexts,
  { sdk, explain }: { sdk: Sdk; explain: Explain },
): McpConnection {
  const { client } = opened;
  return {
    gone: opened.gone,
    async listTools(signal) {
      if (!client.getServerCapabilities()?.tools) return [];
      try {
        return (await client.listTools(undefined, { signal, cacheMode: 'refresh' })).tools;
      } catch (error) {
        throw await explain(error);
      }
    },
    async callTool(name, args, context) {
      try {
        return { outcome: toOutcome(await contexts.run(context, () => sendCall(client, { name, args, context }))) };
      } catch (error) {
        context.signal.throwIfAborted();
        return classifyFailure(await explain(error), { sdk, ended: opened.ended() });
      }
    },
    async ping(signal) {
      try {
        await (client.getProtocolEra() === 'modern' ? client.discover({ signal }) : client.ping({ signal }));
      } catch (error) {
        // An error response also proves that the server answers.
        if (!(error instanceof sdk.ProtocolError) || error.code === NO_ANSWER_CODE) throw error;
      }
    },
    close: opened.close,
  };
}

function placeOf({ callId, turnId, conversationId }: ToolContext): Record<string, string> {
  return {
    [CALL_ID_META]: callId,
    ...(turnId && { [TURN_ID_META]: turnId }),
    ...(conversationId && { [CONVERSATION_ID_META]: conversationId }),
  };
}

/** MCP carries the trace context in `_meta`; HTTP servers also get it as a header. */
function traceOf({ traceparent }: ToolContext): { traceparent?: string } {
  return traceparent === undefined ? {} : { traceparent };
}

function sendCall(
  client: Client,
  call: { name: string; args: JsonObject; context: ToolContext },
): Promise<CallToolResult> {
  const { name, args, context } = call;
  return client.callTool(
    { name, arguments: args, _meta: { ...placeOf(context), ...traceOf(context) } },
    {
      signal: context.signal,
      timeout: NO_TIMEOUT_MS,
      onprogress: ({ message, progress, total }) =>
        context.progress(message ?? (total === undefined ? `${progress}` : `${progress} of ${total}`)),
    },
  );
}

/** Maps a server's question to the running call that it belongs to. */
interface CallContexts {
  run<T>(context: ToolContext, call: () => Promise<T>): Promise<T>;
  /**
   * Asks through the call whose stream or answer carried the question. Older servers on one shared pipe do not name the
   * call: then it is the oldest call that asks nothing yet, but only if all running calls belong to the same
   * conversation of the same user.
   */
  ask<T>(question: (context: ToolContext | undefined) => Promise<T>): Promise<T>;
}

function createCallContexts(): CallContexts {
  const scope = new AsyncLocalStorage<ToolContext>();
  const running = new Set<ToolContext>();
  const asking = new Set<ToolContext>();
  return {
    async run(context, call) {
      running.add(context);
      try {
        return await scope.run(context, call);
      } finally {
        running.delete(context);
      }
    },
    async ask(question) {
      const context = scope.getStore() ?? findAsker(running, asking);
      if (!context) return question(undefined);
      asking.add(context);
      try {
        return await question(context);
      } finally {
        asking.delete(context);
      }
    },
  };
}

function findAsker(running: ReadonlySet<ToolContext>, asking: ReadonlySet<ToolContext>): ToolContext | undefined {
  const all = [...running];
  const [oldest] = all;
  const isOne = all.every(
    (other) => other.user.id === oldest?.user.id && other.conversationId === oldest.conversationId,
  );
  return isOne ? (all.find((context) => !asking.has(context)) ?? oldest) : undefined;
}
