import { extname, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../clock.ts';
import type { Report } from '../../log.ts';
import type { EnvironmentRedactor } from '../../redaction/agent-secrets.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import { cutText, sanitizeText } from '../sanitize.ts';
import type { ToolContext, ToolOutcome } from '../tool.ts';
import { findPlace } from './describe-fault.ts';
import type { FromWorker, ToWorker, WorkerFunction } from './function-protocol.ts';
import { MAX_WORDS, withoutPlaces } from './function-protocol.ts';

/** Time for a function to notice that it was stopped. */
const GRACE_MS = 250;
/** Time for all files together to load. */
const LOAD_MS = 5_000;
const MAX_HEAP_MB = 256;
export const NOT_LOADED = 'its file did not load to its end';

export interface FunctionThreadOptions {
  functions: WorkerFunction[];
  env: Record<string, string>;
  clock: Clock;
  /** The agent's folder. Places in messages for the author are relative to it. */
  folder: string;
  redactor: EnvironmentRedactor;
  log(text: string): void;
  report: Report;
}

interface OpenCall {
  id: number;
  name: string;
  isStarted: boolean;
  /** True when the call's result is no longer awaited. */
  isStopped: boolean;
  /** True when the thread has replied to the stop, so it is not blocked. */
  isReceived: boolean;
  progress: ToolContext['progress'];
  end(outcome: ToolOutcome | undefined): void;
}

/**
 * A worker thread with an agent's functions. If a stopped call does not end within the grace period, the thread is
 * terminated: at once if the call blocks it, otherwise when its other calls have ended. New calls go to a new thread.
 */
export class FunctionThread {
  /** Resolves when the files are loaded, with the problem of each function that could not be loaded. */
  readonly loaded: Promise<ReadonlyMap<string, string>>;
  readonly #worker: Worker;
  readonly #clock: Clock;
  readonly #log: (text: string) => void;
  readonly #report: Report;
  readonly #redactor: EnvironmentRedactor;
  readonly #folder: string;
  readonly #calls = new Map<number, OpenCall>();
  readonly #paths: ReadonlyMap<string, string>;
  readonly #faults: Map<string, string>;
  readonly #loading = Promise.withResolvers<void>();
  #isOpen = true;
  #hasEnded = false;
  #lastId = 0;
  #endReason = 'the thread that runs the functions ended';

  constructor({ functions, env, clock, folder, redactor, log, report }: FunctionThreadOptions) {
    this.#clock = clock;
    this.#folder = folder;
    this.#redactor = redactor;
    this.#log = (text) => log(redactor.text(text));
    this.#report = report;
    this.#paths = new Map(functions.map(({ name, path }) => [name, path]));
    this.#faults = new Map(functions.map(({ name }) => [name, NOT_LOADED]));
    this.#worker = startWorker(functions, env);
    this.#listen();
    const stopLimit = clock.after(LOAD_MS, () => void this.close('the files of the functions did not load in time'));
    this.loaded = this.#loading.promise.then(() => {
      stopLimit();
      return this.#faults;
    });
  }

  /** False when it accepts no more calls. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Undefined if the function was not started, because the thread ended first or the call was stopped. */
  call(name: string, args: JsonObject, context: ToolContext): Promise<ToolOutcome | undefined> {
    const { user, callId, signal, progress } = context;
    const { promise, resolve } = Promise.withResolvers<ToolOutcome | undefined>();
    const id = ++this.#lastId;
    const call = { id, name, isStarted: false, isStopped: false, isReceived: false, progress, end: resolve };
    const stop = () => this.#stop(call);
    if (signal.aborted || !this.#isOpen) return Promise.resolve(undefined);
    this.#calls.set(id, call);
    this.#say({ type: 'call', id, callId, name, args, user: { ...user } });
    signal.addEventListener('abort', stop, { once: true });
    return promise.finally(() => signal.removeEventListener('abort', stop));
  }

  /** Ends the thread now. Its calls end with the reason. */
  async close(reason: string): Promise<void> {
    this.#isOpen = false;
    this.#endReason = reason;
    await this.#worker.terminate();
  }

  #listen(): void {
    this.#worker.on('message', (message: FromWorker) => this.#receive(message));
    this.#worker.on('error', (error) => {
      this.#endReason = 'the thread that runs the functions failed';
      this.#log(describeCrash(error));
      this.#reportToAuthor(describeCrash(error), String(error));
    });
    this.#worker.on('exit', () => {
      this.#isOpen = false;
      this.#hasEnded = true;
      this.#loading.resolve();
      for (const call of this.#calls.values()) this.#end(call, toLoss(call, this.#endReason));
    });
    for (const stream of [this.#worker.stdout, this.#worker.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => this.#log(sanitizeText(text).trimEnd()));
    }
  }

  #receive(message: FromWorker): void {
    if (message.type === 'ready') this.#loading.resolve();
    else if (message.type === 'loaded') this.#noteLoaded(message);
    else this.#receiveFor(this.#calls.get(message.id), message);
  }

  #receiveFor(call: OpenCall | undefined, message: Exclude<FromWorker, { type: 'ready' | 'loaded' }>): void {
    if (!call) return;
    if (message.type === 'started') call.isStarted = true;
    if (message.type === 'received') call.isReceived = true;
    if (message.type === 'progress') call.progress(this.#redactor.text(sanitizeText(message.text)));
    if (message.type === 'threw') {
      this.#log(`${call.name}: ${message.log}`);
      if (message.words === undefined) this.#reportToAuthor(message.log, message.headline, this.#paths.get(call.name));
    }
    if (message.type === 'returned' || message.type === 'threw')
      this.#end(call, toOutcome(message, call.name, this.#redactor));
  }

  #noteLoaded({ name, fault }: Extract<FromWorker, { type: 'loaded' }>): void {
    if (fault === undefined) this.#faults.delete(name);
    else {
      const path = this.#paths.get(name) ?? '';
      this.#faults.set(name, this.#redactor.text(fault.message));
      void withPlace(path, fault.log).then((text) => this.#log(`${name}: ${text}`));
      this.#reportToAuthor(fault.log, fault.headline, path);
    }
  }

  /** For example `price.ts:2 Error: no price for lamp`. */
  #reportToAuthor(stack: string, headline: string, path?: string): void {
    const file = path === undefined ? 'a function' : relative(this.#folder, path);
    const place = findPlace(stack, this.#folder) ?? file;
    const text = `${place} ${sanitizeText(headline).split('\n', 1)[0]}`;
    this.#report({ text: cutText(this.#redactor.text(text), MAX_WORDS) });
  }

  #say(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #end(call: OpenCall, outcome: ToolOutcome | undefined): void {
    this.#calls.delete(call.id);
    call.end(outcome);
    if (!this.#isOpen) this.#closeWhenIdle();
  }

  #stop(call: OpenCall): void {
    call.isStopped = true;
    this.#say({ type: 'abort', id: call.id });
    this.#clock.after(GRACE_MS, () => this.#giveUp(call));
  }

  #giveUp(call: OpenCall): void {
    if (!this.#calls.has(call.id)) return;
    this.#isOpen = false;
    if (call.isReceived) this.#closeWhenIdle();
    else void this.close(`${call.name} blocked the thread that runs the functions, so it was ended`);
  }

  #closeWhenIdle(): void {
    const isIdle = this.#calls.values().every((call) => call.isStopped);
    if (isIdle) void this.close(this.#endReason);
  }
}

function startWorker(functions: WorkerFunction[], env: Record<string, string>): Worker {
  return new Worker(new URL(`./function-worker${extname(import.meta.url)}`, import.meta.url), {
    workerData: { functions },
    env,
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
}

/** Adds the place of a syntax error, which Node does not report. */
async function withPlace(path: string, log: string): Promise<string> {
  if (log.includes(path) || log.includes(pathToFileURL(path).href)) return log;
  const { findSyntaxFault, formatPlace } = await import('./find-fault.ts');
  const fault = await findSyntaxFault(path);
  if (fault) return `${formatPlace(path, fault)}: ${log}`;
  return `${path}, or a file that it imports: ${log}`;
}

function toOutcome(
  message: Extract<FromWorker, { type: 'returned' | 'threw' }>,
  name: string,
  redactor: EnvironmentRedactor,
): ToolOutcome {
  if (message.type === 'returned') {
    const isWhole = message.json.length === message.length;
    if (!isWhole) return { result: `${redactor.result(message.json)}\n[of ${message.length} characters]` };
    const hide = (_key: string, value: Json) => (typeof value === 'string' ? redactor.result(value) : value);
    return { result: JSON.parse(message.json, hide) as Json };
  }
  const words = message.words ? withoutPlaces(redactor.text(message.words)) : `${name} failed unexpectedly.`;
  return { error: { error_type: 'ToolInvocationError', message: words } };
}

function describeCrash(error: unknown): string {
  return error instanceof Error ? (error.stack ?? String(error)) : String(error);
}

function toLoss({ name, isStarted }: OpenCall, reason: string): ToolOutcome | undefined {
  if (!isStarted) return undefined;
  const message = `${name} was lost: ${reason}. Whether it took effect is not known.`;
  return { error: { error_type: 'ToolInvocationError', message }, unknown: true };
}
