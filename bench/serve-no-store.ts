/** HoloDeck with both protocols and a store that keeps nothing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAgent } from '../src/config/load-agent.ts';
import { localAccount } from '../src/identity/local-account.ts';
import { createRuntime } from '../src/runtime/runtime.ts';
import { createApp } from '../src/server/app.ts';
import { listen } from '../src/server/http/listen.ts';
import { createServerState } from '../src/server/shared-server.ts';
import type { Store } from '../src/store/store.ts';

const AT = new Date(0).toISOString();
/** A conversation that holds only the message of its first turn. */
const CONVERSATION = {
  agent: 'bench',
  created_at: AT,
  last_updated: AT,
  last_activity: AT,
  message_count: 1,
  metadata: {},
};

/**
 * A store that keeps nothing, so that a run shows the cost of the journal. It accepts every write, and every read finds
 * nothing. Never for an agent: a crash loses everything, and no turn can be continued.
 */
function createNoStore(): Store {
  const answers = {
    isShared: false,
    segmentMs: 250,
    beginTurn: async (_user, { turnId, conversationId }) => ({
      outcome: 'begun',
      lease: { turnId, conversationId, attempt: 1, runner: 'none', version: 1 },
    }),
    writeTurn: async () => {},
    readConversation: async (_user, id) => ({ ...CONVERSATION, id }),
    takeRequests: async () => [],
    listToContinue: async () => [],
    readHistory: async () => [],
    readMessages: async () => [],
    readAttachments: async () => [],
    recover: async () => [],
    countActive: async () => 0,
    changeMark: async () => 0,
    onLost: () => () => {},
    mayAct: () => true,
    describe: () => ({ kind: 'sqlite' }),
    findProblem: () => undefined,
  } satisfies Partial<Store>;
  return new Proxy(answers as Partial<Store> as Store, {
    // `then` must stay undefined, or awaiting the store would call it.
    get: (known, name) => Reflect.get(known, name) ?? (name === 'then' || name === 'bus' ? undefined : async () => {}),
  });
}

const folder = mkdtempSync(join(tmpdir(), 'holodeck-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const port = Number(process.env.PORT);
const loaded = await loadAgent(join(import.meta.dirname, 'agent', 'agent.yaml'));
const agent = { ...loaded, server: { ...loaded.server, port } };
const user = localAccount(folder);
const runtime = await createRuntime({ agents: [agent], folder, store: createNoStore() });
const state = createServerState();
const app = createApp({
  runtime,
  server: agent.server,
  state: state.current,
  identify: () => user,
  log: { write: (line) => process.stderr.write(line) },
  debug: false,
  stopping: new AbortController().signal,
  runsFolder: () => folder,
});
state.enter('ready');
await listen(app, { ...agent.server, command: '' });
state.enter('running');
process.once('SIGTERM', () => process.exit(0));
