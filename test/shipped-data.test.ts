import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { COMMAND } from './command.ts';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './runtime.ts';

const ROOT = join(import.meta.dirname, '..');
const TODO = join(ROOT, 'agents', 'todo', 'agent.yaml');

it('an agent of the package has one list of tasks, however it is started', async () => {
  const { HOLODECK_DATA: _, ...rest } = process.env;
  const env = { ...rest, XDG_DATA_HOME: temporaryFolder() };
  const run = (args: string[], input = '') =>
    spawnSync(process.execPath, [COMMAND, ...args], { env, input, encoding: 'utf8' }).stdout;
  run(['run', TODO, 'remind me to buy milk']);
  run([], 'remind me to call mom\n');
  run(['chat', TODO], 'remind me to water the plants\n');
  const port = await freePort();
  const server = spawn(process.execPath, [COMMAND, 'serve', TODO, '-p', String(port)], { env, stdio: 'pipe' });
  onTestFinished(() => void server.kill('SIGKILL'));
  await once(server.stdout, 'data');
  const answer = await fetch(`http://127.0.0.1:${port}/agent/todo-assistant/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'what do I need to do?' }),
  });
  const { content } = (await answer.json()) as { content: string }; // the documented shape
  const titles = content.match(/buy milk|call mom|water the plants/g)?.sort();
  expect(titles).toEqual(['buy milk', 'call mom', 'water the plants']);
  expect(run(['audit', TODO]).match(/add_task/g)).toHaveLength(3);
});
