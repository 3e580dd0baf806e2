import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile } from './client.ts';
import type { Bench } from './compare.ts';
import { LAST, toPrompt } from './scenario.ts';
import type { Finding } from './under-load.ts';

const COMMAND = join(import.meta.dirname, '..', 'dist', 'main.js');
const AGENT = join(import.meta.dirname, 'agent', 'agent.yaml');
/** A chat is ready within a second; the answer of the mock model takes a few milliseconds more. */
const MOST_MS = 1_000;

/** Measures from the command `chat` to the end of its first answer. The first round only warms the disk. */
export async function chatStart({ mockPort, isQuick }: Bench): Promise<Finding> {
  const times: number[] = [];
  for (let round = 0; round < (isQuick ? 3 : 7); round++) times.push(await startOnce(mockPort));
  const ms = quantile(times.slice(1), 0.5);
  return { text: `chat: the first answer ${ms.toFixed(0)} ms after the command`, isMet: ms < MOST_MS };
}

async function startOnce(mockPort: number): Promise<number> {
  const data = mkdtempSync(join(tmpdir(), 'holodeck-bench-'));
  const env = { ...process.env, MOCK_URL: `http://127.0.0.1:${mockPort}/v1` };
  const startedAt = performance.now();
  const child = spawn(process.execPath, [COMMAND, 'chat', AGENT, '--data', data], { env });
  try {
    return await new Promise((resolve, reject) => {
      let shown = '';
      child.stdout.setEncoding('utf8').on('data', (piece: string) => {
        shown += piece;
        if (shown.includes(LAST)) resolve(performance.now() - startedAt);
      });
      child.once('exit', () => reject(new Error(`chat ended before its answer: ${shown}`)));
      child.stdin.end(`${toPrompt({ tokens: 2 })}\n`);
    });
  } finally {
    child.kill();
    rmSync(data, { recursive: true, force: true });
  }
}
