import { request } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Runtime } from '../../runtime/runtime.ts';
import type { ChatTurn } from '../../runtime/turn/turn.ts';
import type { Event } from '../../schema/conversation/event.ts';
import type { User } from '../../schema/user.ts';
import { createApp } from '../../server/app.ts';

export interface InsideServer {
  /** Posts as a user and returns the body of the response. */
  post(user: User, path: string, body: unknown): Promise<string>;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** The HTTP server of a runtime over pipes in memory: no port is opened, and nothing outside can reach it. */
export function openInsideServer(runtime: Runtime): InsideServer {
  const [agent] = runtime.agents;
  if (!agent) throw new Error('A runtime has at least one agent.');
  let current: User | undefined;
  const { auth: _auth, ...rest } = agent.server;
  const app = createApp({
    runtime,
    server: { ...rest, host: HOST, page: false, rate_limit: { turns_per_minute: 1_000_000 } },
    state: () => 'running',
    identify: () => current ?? Promise.reject(new Error('There is no user yet.')),
  });
  return {
    async post(user, path, body) {
      current = user;
      const [ours, theirs] = duplexPair().map(asSocket);
      app.server.emit('connection', theirs);
      const headers = { host: HOST, 'content-type': 'application/json', accept: 'text/event-stream' };
      const sent = request({ method: 'POST', path, headers, createConnection: () => ours as Duplex });
      sent.end(JSON.stringify(body));
      const response = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
        sent.on('response', resolve).on('error', reject);
      });
      const bytes = await text(response);
      ours?.destroy();
      return bytes;
    },
    close: () => {
      app.server.closeAllConnections();
      return app.close();
    },
  };
}

/** A pipe in memory has no timers of a socket. */
function asSocket(pipe: Duplex): Duplex {
  const same = () => pipe;
  return Object.assign(pipe, { setTimeout: same, setNoDelay: same, setKeepAlive: same, destroySoon: () => pipe.end() });
}

type WaitEvent = Extract<Event, { type: 'tool-call-wait' }>;

export interface WatchedRuntime {
  runtime: Runtime;
  /** The conversation of the last turn. */
  conversationId(): string;
  /** Calls that wait for a person, and the answer that each gets: questions of running calls are declined. */
  takeWaits(approve: boolean): { call_id: string; approved: boolean }[];
}

/** A runtime whose turns are observed on their way to a front. */
export function watchRuntime(runtime: Runtime): WatchedRuntime {
  let waits: WaitEvent[] = [];
  let conversationId = '';
  const watch = (turn: ChatTurn): ChatTurn => {
    conversationId = turn.conversationId;
    return { ...turn, events: observe(turn.events, (event) => event.type === 'tool-call-wait' && waits.push(event)) };
  };
  return {
    runtime: {
      ...runtime,
      chat: async (user, input) => watch(await runtime.chat(user, input)),
      runThread: async (user, run) => watch(await runtime.runThread(user, run)),
      answer: async (user, input) => watch(await runtime.answer(user, input)),
    },
    conversationId: () => conversationId,
    takeWaits(approve) {
      const taken = waits;
      waits = [];
      return taken.map(({ call_id, wait }) => ({ call_id, approved: approve && wait.kind === 'approval' }));
    },
  };
}

async function* observe(events: ChatTurn['events'], seen: (event: Event) => void): AsyncGenerator<Event, undefined> {
  for await (const event of events) {
    seen(event);
    yield event;
  }
  return undefined;
}
