import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { MimeType } from '../../schema/file.ts';
import { LIMITS } from '../limits.ts';
import { type FileReading, toReading, Unreadable } from '../reading.ts';
import type { Conversion } from './conversion.ts';
import { childFile, type Job, type JobMessage, LATE_SIGNAL } from './job.ts';

/** A file that can be read once, from beginning to end. */
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

/** A process that we lost track of ends itself this long after its deadline. */
const LIFE_MARGIN_MS = 5_000;
/** JSON may encode a character as six. */
const LINE_CHARS_PER_CHAR = 6;
const OTHER_OUTPUT_CHARS = 1_000_000;

/** Reads one file in its own process. Never throws: failures become the file's verdict. */
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
  const report = listen(child, {
    ...options,
    maxChars: limits.textChars * LINE_CHARS_PER_CHAR + OTHER_OUTPUT_CHARS,
    stop,
  });
  const exit = await ended(child);
  cancelTimer();
  options.signal.removeEventListener('abort', onAbort);
  if (report.failed !== undefined)
    options.log?.('a file could not be read', { file: file.filename, reason: report.failed });
  const isLate = exit.signal === LATE_SIGNAL && !report.end;
  problem ??= isLate ? tookLonger(limits.jobMs) : undefined;
  problem ??= report.refused ?? (report.end ? undefined : describeExit(exit, report.failed));
  return toReading({
    text: report.text,
    ...(report.end && { end: report.end }),
    ...(problem !== undefined && { problem }),
  });
}

function tookLonger(ms: number): string {
  return `took longer than ${ms / 1000} seconds to read`;
}

/** An aborting caller may give the reason. */
export function reasonOf(signal: AbortSignal): string {
  return signal.reason instanceof Unreadable ? signal.reason.message : 'was not read: the turn was stopped';
}

interface JobReport {
  text: string;
  end?: Conversion;
  refused?: string;
  failed?: string;
}

/** Collects the messages of the process, up to its limit. */
function listen(
  child: ChildProcess,
  options: Pick<JobOptions, 'onProgress'> & { maxChars: number; stop(reason: string): void },
): JobReport {
  const report: JobReport = { text: '' };
  let rest = '';
  let chars = 0;
  const take = (line: string) => {
    const frame: JobMessage = JSON.parse(line); // written by our own child
    if ('text' in frame) report.text += frame.text;
    else if ('progress' in frame) options.onProgress?.(frame.progress);
    else Object.assign(report, frame);
  };
  // Created as a pipe, which is readable on our side.
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
  return report;
}

/** The process may end before it has read everything; then the rest is dropped. */
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
  const path = fileURLToPath(childFile());
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
  // An empty environment keeps all keys away from parsers.
  const env = process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot };
  return spawn(command, args, { env, stdio: ['pipe', 'ignore', 'ignore', 'pipe'], shell: false, windowsHide: true });
}

/** The sources use the packages next to them; the bundle has everything in its own folder. */
function packageFolder(child: string): string {
  return extname(child) === '.ts' ? join(dirname(child), '..', '..', '..') : dirname(child);
}

function kernelLimits(): string[] {
  const prlimit = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path));
  return prlimit ? [prlimit, `--data=${LIMITS.dataBytes}`] : [];
}
