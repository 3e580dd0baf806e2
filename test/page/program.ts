import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { localAccount } from '../../src/identity/local-account.ts';
import { COMMAND } from '../command.ts';
import { type FakeModelServer, type FakeReply, startModelServer } from '../fakes/model-server.ts';
import { freePort } from '../free-port.ts';
import { temporaryFolder } from '../runtime.ts';
import { type Session, startSession } from '../terminal/session.ts';
import { readStored, type Stored } from './stored.ts';

/** `look` and `wipe` write a line for each run; `look` runs as long as its city is held. */
const TOOLS = `
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const count = (text) => appendFileSync(new URL('effects', import.meta.url), text + '\\n');

export async function look({ city }, { signal }) {
  count('look ' + city);
  while (existsSync(new URL('held-' + city, import.meta.url)) && !signal.aborted) await setTimeout(20);
  if (signal.aborted) count('look ' + city + ' was stopped');
  return { city, sky: 'clear' };
}
export const disks = () => [{ id: 'sda1', name: 'Photos of 2019' }];
export function wipe({ disk }) {
  count('wipe ' + disk);
  return { wiped: disk };
}
`;

const AGENT = `name: helper
model: { provider: openai_compatible, name: fake, endpoint: "\${MODEL_URL}" }
instructions: Help.
tools:
  - { name: look, type: function, file: tools.mjs, function: look, description: Looks at the sky., parameters: { type: object, properties: { city: { type: string } } } }
  - { name: disks, type: function, file: tools.mjs, function: disks, description: Lists the disks., parameters: { type: object, properties: {} } }
  - { name: wipe, type: function, file: tools.mjs, function: wipe, description: Wipes a disk., approve: true, parameters: { type: object, properties: { disk: { type: string } } } }
`;

interface Served {
  url: string;
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  output(): string;
}

/** An agent in a folder of its own, with programs that are processes of their own. */
export interface Program {
  model: FakeModelServer;
  /** Starts `holodeck serve`; each time at the same port. */
  serve(): Promise<Served>;
  /** Starts `holodeck chat` in a terminal. */
  chat(args?: string[]): Session;
  /** Makes `look` run for this city until the returned function is called. */
  hold(city: string): () => void;
  /** The file has a line per run of a tool. */
  effects(): string[];
  stored(conversationId: string | undefined): Promise<Stored>;
}

export async function openProgram(replies: readonly FakeReply[]): Promise<Program> {
  const folder = temporaryFolder();
  const model = await startModelServer(replies);
  onTestFinished(() => model[Symbol.asyncDispose]());
  const home = join(folder, 'agent');
  mkdirSync(home);
  const agent = join(home, 'agent.yaml');
  writeFileSync(agent, AGENT);
  writeFileSync(join(home, 'tools.mjs'), TOOLS);
  const data = join(folder, 'data');
  const env = { MODEL_URL: `${model.url}/v1`, NO_COLOR: '1' };
  const port = await freePort();
  const effects = join(home, 'effects');
  return {
    model,
    async serve() {
      const args = [COMMAND, 'serve', agent, '--data', data, '-p', String(port)];
      const served = watch(spawn(process.execPath, args, { stdio: 'pipe', env: { ...process.env, ...env } }), port);
      await expect.poll(served.output).toContain('HoloDeck');
      return served;
    },
    chat: (args = []) => startSession(['chat', agent, '--data', data, ...args], { env }),
    hold(city) {
      const path = join(home, `held-${city}`);
      writeFileSync(path, '');
      return () => rmSync(path);
    },
    effects: () => (existsSync(effects) ? readFileSync(effects, 'utf8').trim().split('\n') : []),
    stored: (conversationId) => readStored(data, localAccount(data), conversationId),
  };
}

function watch(child: ChildProcess, port: number): Served {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (piece) => (text += piece));
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal);
    await exit;
  };
  onTestFinished(() => kill('SIGKILL'));
  return { url: `http://127.0.0.1:${port}`, kill, output: () => text };
}
