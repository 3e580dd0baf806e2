import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { COMMAND } from '../command.ts';
import { freePort } from '../free-port.ts';
import { openWorld, say, type World } from '../terminal/session.ts';

interface Served {
  ask(): Promise<number>;
  /** Its output for people so far. */
  said(): string;
}

async function serve(world: World): Promise<Served> {
  const port = await freePort();
  const env = { ...process.env, MODEL_URL: `${world.model.url}/v1` };
  const args = [COMMAND, 'serve', world.agent, '--data', world.data, '-p', String(port)];
  const child: ChildProcess = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (piece) => {
      text += piece;
    });
  }
  await expect.poll(() => text, { timeout: 20_000 }).toContain(`:${port}`);
  const ask = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/agent/helper/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'hello' }),
    });
    await response.text();
    return response.status;
  };
  return { ask, said: () => text };
}

describe('an agent.yaml that is edited while it is served', () => {
  it('is used from the next turn on; a broken one is refused with line and column, and the old one stays', async () => {
    const world = await openWorld([say('ok')]);
    const { ask, said } = await serve(world);
    const good = readFileSync(world.agent, 'utf8');
    writeFileSync(world.agent, good.replace('instructions: Help.', 'instructions: Help like a pirate.'));
    await expect.poll(said, { timeout: 10_000 }).toContain('agent.yaml has changed');
    expect(await ask()).toBe(200);
    expect(JSON.stringify(world.model.requests.at(-1)?.body)).toContain('Help like a pirate.');
    appendFileSync(world.agent, 'instuctions: twice\n');
    await expect
      .poll(said, { timeout: 10_000 })
      .toMatch(/agent\.yaml:\d+:1 instuctions: unknown key[\s\S]*Still using/);
    expect(await ask()).toBe(200);
  });
});
