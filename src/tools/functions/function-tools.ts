import { existsSync, realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { type Clock, systemClock } from '../../clock.ts';
import type { Report } from '../../log.ts';
import { createEnvironmentRedactor } from '../../redaction/agent-secrets.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { SourceStatus, Tool, ToolContext, ToolOutcome, ToolSource } from '../tool.ts';
import { NOT_SET_UP } from '../tool.ts';
import type { WorkerFunction } from './function-protocol.ts';
import { withoutPlaces } from './function-protocol.ts';
import { FunctionThread, NOT_LOADED } from './function-thread.ts';

/** The environment variables that functions see. Keys and passwords of the agent are not among them. */
const VISIBLE_ENV = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];

/** A call that had not started when its thread ended goes to the next thread, at most this often. */
const MAX_TRIES = 3;

/** A function of the agent's files, as its `tools` entry describes it. */
export interface FunctionTool {
  name: string;
  file: string;
  function: string;
  description: string;
  parameters: JsonObject;
  env: Record<string, string>;
  bind: Record<string, string>;
  approve: boolean;
  idempotent: boolean;
}

export interface FunctionSourceOptions {
  name: string;
  /** The agent's folder. All files must be inside it. */
  folder: string;
  tools: readonly FunctionTool[];
  clock?: Clock;
  /** Receives printed text and thrown errors of the functions. */
  log?(text: string): void;
  /** Reports to the author where a function threw. */
  report?: Report;
}

/**
 * Runs an agent's function tools in a worker thread that starts with the first call and restarts after a loss.
 * Functions with the same `env` share a thread; no function sees the `env` of another. An author writes `export default
 * async function price(args, { user, signal, progress, callId }) { … }`.
 */
export function createFunctionSource(options: FunctionSourceOptions): ToolSource {
  const byEnv = Map.groupBy(options.tools, ({ env }) => JSON.stringify(Object.entries(env).sort()));
  const groups = [...byEnv.values()].map((tools) => createGroup(tools, options));
  const groupOf = new Map(groups.flatMap((group) => group.names.map((name) => [name, group] as const)));
  const tools = options.tools.map((tool) =>
    toTool(tool, async (name, args, context) => groupOf.get(name)?.run(name, args, context) ?? unavailable(name, GONE)),
  );
  return {
    name: options.name,
    tools: async () => tools,
    status() {
      const faults = new Map(groups.flatMap((group) => [...group.faults()]));
      const states = groups.map((group) => group.state());
      return describeStatus(options.tools, faults, STATES.find((state) => states.includes(state)) ?? 'idle');
    },
    async close() {
      await Promise.all(groups.map((group) => group.close()));
    },
  };
}

type GroupState = 'idle' | 'starting' | 'started';
/** The first state in this list that a group has is the state of all groups. */
const STATES: readonly GroupState[] = ['starting', 'started', 'idle'];
const GONE = 'it is no longer part of the agent';

/** Functions that share an environment, and their threads. */
interface FunctionGroup {
  readonly names: string[];
  run(name: string, args: JsonObject, context: ToolContext): Promise<ToolOutcome>;
  faults(): ReadonlyMap<string, string>;
  state(): GroupState;
  close(): Promise<void>;
}

function createGroup(tools: readonly FunctionTool[], options: FunctionSourceOptions): FunctionGroup {
  const missing = new Map<string, string>();
  const functions = tools.flatMap((tool) => {
    const found = findFunction(tool, options.folder);
    if ('fault' in found) missing.set(tool.name, found.fault);
    return 'fault' in found ? [] : [found];
  });
  const env = tools[0]?.env ?? {};
  const settings = {
    env: visibleEnv(env),
    redactor: createEnvironmentRedactor(env),
    folder: options.folder,
    clock: options.clock ?? systemClock,
    log: options.log ?? (() => {}),
    report: options.report ?? (() => {}),
  };
  let threads: FunctionThread[] = [];
  let faults: ReadonlyMap<string, string> = missing;
  let state: GroupState = 'idle';
  let isClosed = false;

  function start(): FunctionThread {
    const loadable = functions.filter(({ name }) => !missing.has(name));
    const thread = new FunctionThread({ ...settings, functions: loadable });
    threads = [...threads.filter((other) => !other.hasEnded), thread];
    state = 'starting';
    return thread;
  }
  async function open(): Promise<FunctionThread> {
    const thread = threads.findLast((other) => other.isOpen) ?? start();
    const unloaded = await thread.loaded;
    faults = new Map([...missing, ...unloaded]);
    state = 'started';
    // A file that ended the thread while loading is left out of the next thread.
    const culprit = thread.isOpen ? undefined : functions.find(({ name }) => unloaded.get(name) === NOT_LOADED);
    if (culprit) {
      missing.set(culprit.name, NOT_LOADED);
      settings.log(`${culprit.name}: ${culprit.path}: ${NOT_LOADED}`);
    }
    return thread;
  }
  return {
    names: tools.map(({ name }) => name),
    async run(name, args, context) {
      for (let tries = 0; tries < MAX_TRIES && !context.signal.aborted && !isClosed; tries++) {
        const thread = missing.has(name) ? undefined : await open();
        const fault = faults.get(name);
        if (!thread || fault !== undefined) return unavailable(name, fault ?? NOT_LOADED);
        const outcome = await thread.call(name, args, context);
        if (outcome) return outcome;
      }
      return unavailable(name, 'it was stopped before it started');
    },
    faults: () => faults,
    state: () => state,
    async close() {
      isClosed = true;
      await Promise.all(threads.map((thread) => thread.close('the agent was stopped')));
    },
  };
}

function toTool(
  config: FunctionTool,
  run: (name: string, ...rest: Parameters<Tool['run']>) => Promise<ToolOutcome>,
): Tool {
  return {
    name: config.name,
    description: config.description,
    inputSchema: config.parameters,
    idempotent: config.idempotent,
    needsApproval: config.approve,
    source: config.name,
    bind: config.bind,
    run: (args, context) => run(config.name, args, context),
  };
}

function findFunction(tool: FunctionTool, folder: string): WorkerFunction | { fault: string } {
  const path = resolve(folder, tool.file);
  if (!existsSync(path)) return { fault: `there is no file ${tool.file} beside the agent file` };
  const isInside = realpathSync(path).startsWith(realpathSync(folder) + sep);
  if (!isInside) return { fault: `${tool.file} is outside the agent's folder` };
  return { name: tool.name, path, exportName: tool.function };
}

function visibleEnv(extra: Readonly<Record<string, string>>): Record<string, string> {
  const visible = VISIBLE_ENV.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(visible), ...extra };
}

function unavailable(name: string, fault: string): ToolOutcome {
  const message = `${name} cannot be used: ${withoutPlaces(fault)}.`;
  return { error: { error_type: 'ToolInvocationError', message, details: NOT_SET_UP } };
}

function describeStatus(
  tools: readonly FunctionTool[],
  faults: ReadonlyMap<string, string>,
  state: GroupState,
): SourceStatus {
  const listed = tools.map(({ name, description }) => ({ name, description }));
  if (faults.size === 0) return { state: state === 'started' ? 'ready' : state, tools: listed };
  const detail = [...faults].map(([name, fault]) => `${name}: ${withoutPlaces(fault)}`).join('; ');
  return { state: faults.size === tools.length ? 'unavailable' : 'degraded', detail, tools: listed };
}
