import { type ChildProcess, spawn } from 'node:child_process';
import { extname } from 'node:path';
import type { Duplex, Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../clock.ts';
import { systemIds } from '../../ids.ts';
import { findServerProcesses, MARK_NAME, signalProcess } from '../supervise/server-processes.ts';

export interface ChildCommand {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
}

export interface ChildServer {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Settles with the reason when the server has ended. */
  readonly gone: Promise<string>;
  /** Closes its input, then kills the server and everything it started if they do not exit. */
  stop(): Promise<void>;
}

/** Time for a server to exit after its input was closed; the watchdog waits as long again before it kills. */
const LEAVE_MS = 500;

/**
 * Starts a tool server without a shell, in a process group that ends with this process however it ends. On Linux a
 * process that left the group is ended as well, unless it also cleared its environment and outlived its parent.
 */
export function startChildServer(options: ChildCommand, clock: Clock): ChildServer {
  const watchdog = fileURLToPath(new URL(`./watchdog${extname(import.meta.url)}`, import.meta.url));
  const child = spawn(process.execPath, [watchdog], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    env: {},
    shell: false,
  });
  const [stdin, stdout, stderr, control] = openStreams(child);
  const mark = systemIds.uuid();
  const gone = watch(child, control, { command: options.command, mark });
  control.write(`${JSON.stringify({ ...options, env: { ...options.env, [MARK_NAME]: mark } })}\n`);
  const stop = async () => {
    stdin.end();
    const cancel = clock.after(LEAVE_MS, () => control.destroy());
    await gone;
    cancel();
  };
  let stopped: Promise<void> | undefined;
  return {
    pid: child.pid,
    stdin,
    stdout,
    stderr,
    gone,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

function openStreams(child: ChildProcess): [Writable, Readable, Readable, Duplex] {
  // Every descriptor was requested as a pipe, and Node's pipes are sockets that read and write.
  const streams = child.stdio as unknown as [Writable, Readable, Readable, Duplex];
  for (const stream of streams) stream.on('error', () => {});
  return streams;
}

function watch(
  child: ChildProcess,
  control: Duplex,
  { command, mark }: { command: string; mark: string },
): Promise<string> {
  let report: string | undefined;
  control.setEncoding('utf8');
  control.on('data', (text: string) => {
    report ??= describeEnd(text, command);
  });
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(`could not be started: ${error.message}`));
    // The server keeps its output open, so `close` would wait for a server that no process ends any more.
    child.on('exit', () => {
      if (report === undefined) killAll(child.pid, mark);
    });
    child.on('close', () => resolve(report ?? 'was stopped'));
  });
}

function describeEnd(line: string, command: string): string {
  // Written by our own watchdog.
  const end = JSON.parse(line) as { error?: string; code?: number | null; signal?: string | null };
  if (end.error === 'ENOENT') return `could not be started: "${command}" was not found`;
  if (end.error) return `could not be started: ${end.error}`;
  return end.signal ? `was ended by ${end.signal}` : `ended with code ${end.code}`;
}

/** For the case that only the watchdog was killed. */
function killAll(leader: number | undefined, mark: string): void {
  if (leader === undefined) return;
  for (const pid of findServerProcesses({ mark, leader })) signalProcess(pid, 'SIGKILL');
  signalProcess(-leader, 'SIGKILL');
}
