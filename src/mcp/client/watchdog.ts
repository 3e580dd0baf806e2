import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { findServerProcesses, MARK_NAME, signalProcess } from '../supervise/server-processes.ts';

/**
 * A separate process between us and a tool server: the leader of a process group with the server and everything it
 * starts. The first line on descriptor 3 says what to start. When that pipe ends, because we closed it or died, the
 * group is killed. Processes that left the group are found by their mark, if the system allows that, and are killed
 * too. The imports are minimal, so that it starts fast.
 */
const GRACE_MS = 500;
const CONTROL_FD = 3;
/** Number of search rounds: a process may start another one while it is being killed. */
const KILL_ROUNDS = 50;
const KILL_ROUND_MS = 20;

const control = new Socket({ fd: CONTROL_FD, readable: true, writable: true });
let server: ChildProcess | undefined;
let received = '';
let mark = '';
/** Processes found by their parents, which may be gone by now. */
let known: number[] = [];

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
  mark = env[MARK_NAME];
  const child = spawn(command, args, { env, cwd, stdio: ['inherit', 'inherit', 'inherit'], shell: false });
  child.on('error', (error: NodeJS.ErrnoException) => report({ error: error.code ?? error.message }));
  child.on('exit', (code, signal) => report({ code, signal }));
  return child;
}

function report(message: object): void {
  control.write(`${JSON.stringify(message)}\n`, () => void killAll());
}

function endGroup(): void {
  known = [...known, ...findAll()];
  for (const pid of known) signalProcess(pid, 'SIGTERM');
  signalProcess(-process.pid, 'SIGTERM');
  setTimeout(() => void killAll(), GRACE_MS);
}

async function killAll(): Promise<void> {
  for (const pid of known) signalProcess(pid, 'SIGKILL');
  for (let round = 0; round < KILL_ROUNDS; round++) {
    const found = findAll();
    if (found.length === 0) break;
    for (const pid of found) signalProcess(pid, 'SIGKILL');
    await wait(KILL_ROUND_MS);
  }
  signalProcess(-process.pid, 'SIGKILL');
  process.exit(1);
}

function findAll(): number[] {
  return findServerProcesses({ mark, leader: process.pid });
}
