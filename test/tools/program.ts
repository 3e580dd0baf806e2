import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { COMMAND } from '../command.ts';
import { temporaryFolder } from '../runtime.ts';

export interface Program {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** The exit code, when it ends. */
  ended: Promise<number | null>;
}

/** Starts a command with the given input lines, or with an input that stays open. It ends with the test. */
export function startProgram(cwd: string, args: string[], input?: string): Program {
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd, env: { ...process.env, NO_COLOR: '1' } });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
    });
  if (input !== undefined) child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  return { child, stdout: () => printed.stdout, stderr: () => printed.stderr, ended };
}

/** A folder with an agent.yaml, given as an object, and other files. */
export function writeAgent(agent: object, files: Record<string, string> = {}): string {
  const folder = temporaryFolder();
  const file = { name: 'helper', instructions: 'Help.', ...agent };
  for (const [name, text] of Object.entries({ 'agent.yaml': JSON.stringify(file), ...files }))
    writeFileSync(join(folder, name), text);
  return folder;
}
