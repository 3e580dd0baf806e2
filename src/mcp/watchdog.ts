import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * A process of its own between us and a tool server: leader of a process group that holds the server and all it starts.
 * The first line on descriptor 3 says what to start; when that pipe ends, because we closed it or died, the group dies.
 * It imports nothing of ours, so that it starts fast and can stand beside the bundle.
 */
const GRACE_MS = 500;
const CONTROL_FD = 3;

const control = new Socket({ fd: CONTROL_FD, readable: true, writable: true });
let server: ChildProcess | undefined;
let received = '';

process.on('SIGTERM', () => {});
control.setEncoding('utf8');
control.on('data', (text: string) => {
  if (server) return;
  received += text;
  const end = received.indexOf('\n');
  if (end !== -1) server = start(received.slice(0, end));
});
control.on('end', endGroup);
control.on('close', endGroup);
control.on('error', endGroup);

function start(line: string): ChildProcess {
  const { command, args, env, cwd } = JSON.parse(line);
  const child = spawn(command, args, { env, cwd, stdio: ['inherit', 'inherit', 'inherit'], shell: false });
  child.on('error', (error: NodeJS.ErrnoException) => report({ error: error.code ?? error.message }));
  child.on('exit', (code, signal) => report({ code, signal }));
  return child;
}

function report(message: object): void {
  control.write(`${JSON.stringify(message)}\n`, killGroup);
}

function endGroup(): void {
  signalGroup('SIGTERM');
  setTimeout(killGroup, GRACE_MS);
}

function killGroup(): void {
  signalGroup('SIGKILL');
  process.exit(1);
}

function signalGroup(signal: NodeJS.Signals): void {
  try {
    process.kill(-process.pid, signal);
  } catch {
    // The group is already gone.
  }
}
