import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../runtime.ts';

/**
 * Installs a client with its own packages in a folder that is removed after the test, and runs its script against a
 * server. Returns the lines of JSON that it prints.
 */
export async function runClient(
  name: string,
  url: string,
  more: Record<string, string> = {},
): Promise<Record<string, unknown>[]> {
  const env = { ...process.env, URL: url, ...more };
  const folder = temporaryFolder();
  const source = join(import.meta.dirname, name);
  cpSync(source, folder, { recursive: true, filter: (path) => !path.slice(source.length).includes('node_modules') });
  await run('npm', ['ci', '--prefer-offline', '--no-progress', '--no-audit', '--no-fund', '--ignore-scripts'], {
    folder,
    env,
  });
  const printed = await run(process.execPath, ['main.js'], { folder, env });
  const lines = printed.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line));
}

interface Place {
  folder: string;
  env: NodeJS.ProcessEnv;
}

async function run(command: string, args: string[], { folder, env }: Place): Promise<string> {
  const child = spawn(command, args, { cwd: folder, env });
  const [printed, faults]: string[][] = [[], []];
  child.stdout.on('data', (data) => printed?.push(String(data)));
  child.stderr.on('data', (data) => faults?.push(String(data)));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${faults?.join('')}\n${printed?.join('')}`);
  return printed?.join('') ?? '';
}
