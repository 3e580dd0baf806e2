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
import { createNoStore } from './no-store.ts';

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
