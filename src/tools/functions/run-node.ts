import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

export interface Ran {
  isGood: boolean;
  output: string;
  errors: string;
}

/** Runs Node to its end. A process that cannot start counts as failed and has no output. */
export async function runNode(
  args: string[],
  options: { signal: AbortSignal | undefined; input?: string },
): Promise<Ran> {
  const { signal, input = '' } = options;
  const child: ChildProcess = spawn(process.execPath, args, { stdio: 'pipe', ...(signal && { signal }) });
  const ended = new Promise<boolean>((resolve) => {
    child.on('close', (code) => resolve(code === 0)).on('error', () => resolve(false));
  });
  // Without free file descriptors neither the process nor its pipes exist.
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) return { isGood: false, output: '', errors: '' };
  // A child that ends before it has read everything reports the reason on stderr.
  stdin.on('error', () => {}).end(input);
  const [output, errors, isGood] = await Promise.all([readAll(stdout), readAll(stderr), ended]);
  return { isGood, output, errors };
}

function readAll(stream: Readable): Promise<string> {
  return text(stream).catch(() => '');
}
