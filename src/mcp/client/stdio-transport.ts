import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Clock } from '../../clock.ts';
import { isObject, type JsonObject, parseJson } from '../../schema/json.ts';
import { createOutputBudget, type OutputLimits } from './budget.ts';
import { type ChildCommand, type ChildServer, startChildServer } from './child-server.ts';
import { RefusedAnswer } from './failure.ts';
import { createLineFilter } from './line-filter.ts';
import { findAnswerId, type MessageRepairer } from './repair-message.ts';

/** Limit of unread input for a server that does not read. */
const MAX_UNREAD_BYTES = 16_000_000;
const STDERR_TAIL_CHARS = 2_000;

/** All answers arrive on one pipe; each is delivered in the async context of its request. */
type Contexts = Map<unknown, ReturnType<typeof AsyncLocalStorage.snapshot>>;

export interface StdioTransport extends Transport {
  readonly pid: number | undefined;
  /** The end of the server's stderr, for the log. */
  readonly stderr: string;
  /** Why it ended, as a phrase; undefined while it runs. */
  readonly ended: string | undefined;
}

/** A tool server as a child process; whatever it sends, its cost to others is limited. */
export function createStdioTransport(
  command: ChildCommand,
  options: { clock: Clock; limits: OutputLimits; repairer: MessageRepairer; onDropped(): void },
): StdioTransport {
  const { clock, limits, repairer, onDropped } = options;
  const filter = createLineFilter({ clock });
  const output = createOutputBudget(clock, limits);
  const contexts: Contexts = new Map();
  let child: ChildServer | undefined;
  let stderr = '';
  let ended: string | undefined;

  const end = (reason: string) => {
    if (ended !== undefined) return;
    ended = reason;
    transport.onclose?.();
  };
  const isTooMuch = (chunk: Buffer): boolean => {
    if (output.take(chunk.length)) return false;
    end('was stopped because it sent too much');
    void child?.stop();
    return true;
  };

  const transport: StdioTransport = {
    async start() {
      const started = startChildServer(command, clock);
      child = started;
      void started.gone.then(async (reason) => {
        await setImmediate();
        end(reason);
      });
      started.stdout.on('data', (chunk: Buffer) => {
        if (ended !== undefined || isTooMuch(chunk)) return;
        const before = filter.dropped;
        for (const line of filter.push(chunk)) deliver(transport, line, { contexts, repairer });
        if (filter.dropped > before) onDropped();
        void letOthersRun(started);
      });
      started.stderr.on('data', (chunk: Buffer) => {
        if (isTooMuch(chunk)) return;
        stderr = (stderr + chunk.subarray(-STDERR_TAIL_CHARS).toString('utf8')).slice(-STDERR_TAIL_CHARS);
      });
    },
    async send(message) {
      if (!child || ended !== undefined) throw new Error(`The server ${ended ?? 'has not been started'}.`);
      if (child.stdin.writableLength > MAX_UNREAD_BYTES)
        throw new RefusedAnswer('The server does not read what it is sent.');
      keepContext(contexts, message);
      repairer.sent(message);
      child.stdin.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      await child?.stop();
      end('was stopped');
    },
    get pid() {
      return child?.pid;
    },
    get stderr() {
      return stderr;
    },
    get ended() {
      return ended;
    },
  };
  return transport;
}

function keepContext(contexts: Contexts, message: JSONRPCMessage): void {
  if (!('method' in message)) return;
  if ('id' in message) contexts.set(message.id, AsyncLocalStorage.snapshot());
  else if (message.method === 'notifications/cancelled') contexts.delete(message.params?.requestId);
}

function deliver(transport: Transport, line: Buffer, parts: { contexts: Contexts; repairer: MessageRepairer }): void {
  const { contexts, repairer } = parts;
  const value = parseLine(line);
  if (value === undefined) return;
  const id = findSentId(contexts, value);
  // The SDK checks the shape of all other messages when it receives them.
  const message = repairer.repair(value, id) as unknown as JSONRPCMessage;
  if ('method' in message) {
    transport.onmessage?.(message);
    return;
  }
  // Answers to unknown requests, and second answers, are dropped.
  const inContext = id === undefined ? undefined : contexts.get(id);
  contexts.delete(id);
  inContext?.(() => transport.onmessage?.(message));
}

/** The id, as we sent it, of the request that a message answers; some servers return a number as text. */
function findSentId(contexts: Contexts, message: JsonObject): string | number | undefined {
  const id = findAnswerId(message);
  if (id === undefined || contexts.has(id)) return id;
  const asNumber = Number(id);
  return String(asNumber) === id && contexts.has(asNumber) ? asNumber : undefined;
}

/** Skips a line that is not a message, such as a greeting printed to the wrong stream. */
function parseLine(line: Buffer): JsonObject | undefined {
  if (!line.includes('"jsonrpc"')) return undefined;
  const value = parseJson(line.toString('utf8'));
  return isObject(value) ? value : undefined;
}

/** Node may read 32 chunks of a pipe at once; a pause after each keeps the event loop fair. */
async function letOthersRun(child: ChildServer): Promise<void> {
  child.stdout.pause();
  await setImmediate();
  child.stdout.resume();
}
