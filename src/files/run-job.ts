import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { MimeType } from '../schema/file.ts';
import type { Conversion } from './conversion.ts';
import { type Frame, type Job, LATE_SIGNAL } from './job.ts';
import { LIMITS } from './limits.ts';
import { type FileReading, toReading } from './reading.ts';
import { Unreadable } from './unreadable.ts';

/** A file that can be read once, from its beginning to its end. */
export interface ReadableFile {
  filename: string;
  mime_type: MimeType;
  size: number;
  open(): Readable;
}

type JobLimits = Pick<typeof LIMITS, 'jobMs' | 'softMs' | 'wallMs' | 'textChars' | 'memoryBytes'>;

export interface JobOptions {
  clock: Clock;
  signal: AbortSignal;
  languages: readonly string[];
  languageFolder?: string | undefined;
  onProgress?(text: string): void;
  limits?: Partial<{ [Name in keyof JobLimits]: number }>;
  log?: Log | undefined;
}

/** After its end is due, a process that we lost track of ends itself. */
const LIFE_MARGIN_MS = 5_000;
/** JSON may write a character as six. */
const LINE_CHARS_PER_CHAR = 6;
const OTHER_OUTPUT_CHARS = 1_000_000;

/** Reads one file in a process of its own. Never throws: what goes wrong in there is the file's verdict. */
export async function runJob(file: ReadableFile, options: JobOptions): Promise<FileReading> {
  const limits = { ...LIMITS, ...options.limits };
  const child = startChild({
    mimeType: file.mime_type,
    languages: options.languages,
    ...(options.languageFolder !== undefined && { languageFolder: options.languageFolder }),
    textChars: limits.textChars,
    softMs: limits.softMs,
    jobMs: limits.jobMs,
    lifeMs: limits.wallMs + LIFE_MARGIN_MS,
    memoryBytes: limits.memoryBytes,
  });
  let problem: string | undefined;
  const stop = (reason: string) => {
    problem ??= reason;
    child.kill('SIGKILL');
  };
  const onAbort = () => stop(reasonOf(options.signal));
  if (options.signal.aborted) onAbort();
  options.signal.addEventListener('abort', onAbort, { once: true });
  const cancelTimer = options.clock.after(limits.wallMs, () => stop(tookLonger(limits.wallMs)));
  feed(file, child, stop);
  const told = listen(child, {
    ...options,
    maxChars: limits.textChars * LINE_CHARS_PER_CHAR + OTHER_OUTPUT_CHARS,
    stop,
  });
  const exit = await ended(child);
  cancelTimer();
  options.signal.removeEventListener('abort', onAbort);
  if (told.failed !== undefined)
    options.log?.('a file could not be read', { file: file.filename, reason: told.failed });
  const isLate = exit.signal === LATE_SIGNAL && !told.end;
  problem ??= isLate ? tookLonger(limits.jobMs) : undefined;
  problem ??= told.refused ?? (told.end ? undefined : describeExit(exit, told.failed));
  return toReading({ text: told.text, ...(told.end && { end: told.end }), ...(problem !== undefined && { problem }) });
}

function tookLonger(ms: number): string {
  return `took longer than ${ms / 1000} seconds to read`;
}

/** Who stops it may say why. */
export function reasonOf(signal: AbortSignal): string {
  return signal.reason instanceof Unreadable ? signal.reason.message : 'was not read: the turn was stopped';
}

interface Told {
  text: string;
  end?: Conversion;
  refused?: string;
  failed?: string;
}

/** Takes in what the process tells, until it tells more than it may. */
function listen(
  child: ChildProcess,
  options: Pick<JobOptions, 'onProgress'> & { maxChars: number; stop(reason: string): void },
): Told {
  const told: Told = { text: '' };
  let rest = '';
  let chars = 0;
  const take = (line: string) => {
    const frame: Frame = JSON.parse(line); // written by our own child
    if ('text' in frame) told.text += frame.text;
    else if ('progress' in frame) options.onProgress?.(frame.progress);
    else Object.assign(told, frame);
  };
  // Asked for as a pipe, which is readable on our side.
  const output = child.stdio[3] as Readable;
  output.setEncoding('utf8');
  output.on('error', () => {});
  output.on('data', (chunk: string) => {
    chars += chunk.length;
    if (chars > options.maxChars) return options.stop('holds more text than can be read');
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  return told;
}

/** The process may end before it has read everything; then nobody takes the rest. */
function feed(file: ReadableFile, child: ChildProcess, stop: (reason: string) => void): void {
  const source = file.open();
  child.stdin?.on('error', () => source.destroy());
  source.on('error', () => stop('could not be read from where it was kept'));
  child.on('close', () => source.destroy());
  if (child.stdin) source.pipe(child.stdin);
}

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

function ended(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.on('error', () => resolve({ code: null, signal: null }));
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
}

/** Its own watch ends it with SIGTERM; a full heap or a refused allocation makes it abort. */
function describeExit({ code, signal }: Exit, failed: string | undefined): string {
  const isMemory =
    ['SIGTERM', 'SIGABRT', 'SIGTRAP'].includes(signal ?? '') || code === 134 || /memory|allocation/i.test(failed ?? '');
  return isMemory ? 'needs more memory to read than is allowed' : 'is damaged and cannot be read';
}

function startChild(job: Job): ChildProcess {
  const path = fileURLToPath(new URL(`./convert-child${extname(import.meta.url)}`, import.meta.url));
  const readable = [packageFolder(path), ...(job.languageFolder === undefined ? [] : [job.languageFolder])];
  const node = [
    process.execPath,
    '--permission',
    '--allow-worker',
    ...readable.map((folder) => `--allow-fs-read=${folder}`),
    `--max-old-space-size=${LIMITS.heapMb}`,
    `--max-semi-space-size=${LIMITS.youngHeapMb}`,
    path,
    JSON.stringify(job),
  ];
  const [command = '', ...args] = [...kernelLimits(), ...node];
  // An empty environment: no key of ours is anywhere near a parser.
  const env = process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot };
  return spawn(command, args, { env, stdio: ['pipe', 'ignore', 'ignore', 'pipe'], shell: false, windowsHide: true });
}

/** The sources use packages beside them; the bundle has everything in its own folder. */
function packageFolder(child: string): string {
  return extname(child) === '.ts' ? join(dirname(child), '..', '..') : dirname(child);
}

function kernelLimits(): string[] {
  const prlimit = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path));
  return prlimit ? [prlimit, `--data=${LIMITS.dataBytes}`] : [];
}
