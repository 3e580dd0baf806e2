import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { COMMAND } from './command.ts';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './runtime.ts';
import { readAnswer } from './server/server.ts';

/** Blocks of 512 or 1,024 bytes, depending on the shell: room for some turns. */
const BLOCKS = 1_000;
/** Far more turns than fit. */
const MOST_TURNS = 200;

/** A server with a limit on file sizes: writes fail as on a full disk, without a separate disk. */
async function serveWithLimit(): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort();
  const serve = [process.execPath, COMMAND, 'serve', '-p', String(port), '--data', temporaryFolder()];
  const child = spawn('sh', ['-c', `ulimit -S -f ${BLOCKS} && exec "$@"`, 'sh', ...serve], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  await expect
    .poll(() =>
      fetch(`${url}/ready`)
        .then(({ ok }) => ok)
        .catch(() => false),
    )
    .toBe(true);
  return { child, url };
}

it('health and readiness agree on a full disk and after it has space again, and no acknowledged turn is lost', async () => {
  const { child, url } = await serveWithLimit();
  const post = (message: string) =>
    fetch(`${url}/agent/todo-assistant/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message }),
    });
  const probe = async () => {
    const [health, ready] = [await fetch(`${url}/health`), await fetch(`${url}/ready`)];
    return [health.status, ready.status];
  };
  const acknowledged: string[] = [];
  let refused: Response | undefined;
  for (let turn = 0; turn < MOST_TURNS && !refused; turn++) {
    const response = await post('hello');
    if (response.ok) acknowledged.push((await readAnswer(response)).session_id);
    else refused = response;
  }
  expect(refused?.status).toBe(503);
  expect(acknowledged).not.toEqual([]);
  expect(await probe()).toEqual([503, 503]);
  expect(await (await fetch(`${url}/ready`)).json()).toEqual({ ready: false, reason: expect.stringMatching(/disk/) });

  spawnSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited']);
  await expect.poll(probe, { timeout: 50_000 }).toEqual([200, 200]);
  expect((await post('hello')).status).toBe(200);
  for (const id of acknowledged) expect((await fetch(`${url}/sessions/${id}`)).status).toBe(200);
}, 120_000);
