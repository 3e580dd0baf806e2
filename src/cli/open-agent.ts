import { join } from 'node:path';
import { localAccount } from '../identity/local-account.ts';
import type { Fault } from '../log.ts';
import { DEFAULT_AGENT, isShipped } from '../runtime/default-folder.ts';
import { createRuntime, type Runtime, type RuntimeOptions } from '../runtime/runtime.ts';
import type { Agent } from '../schema/agent.ts';
import type { User } from '../schema/user.ts';
import { sanitizeText } from '../tools/sanitize.ts';
import { dataFolder } from './data-folder.ts';
import { createFileLog } from './file-log.ts';
import { loadWithKey } from './load-with-key.ts';

export interface OpenOptions {
  data?: string;
  /** Settings from flags, in the shape of agent.yaml. */
  overrides?: Record<string, unknown>;
  /** Takes what the author of the agents should see, in words. */
  report?(text: string): void;
  /** Takes traces as lines where no receiver is named. */
  writeTrace?(line: string): void;
}

export interface Opened {
  runtime: Runtime;
  agents: Agent[];
  /** The agents' files, in the same order. */
  files: readonly string[];
  folder: string;
  user: User;
  /** The first agent is part of this package. */
  isShipped: boolean;
  /** Reads one of the files again, with the flags of this command and other settings on top. */
  load(file: string, overrides?: Record<string, unknown>): Promise<Agent>;
}

/** What every command begins with: the agents checked, the data folder opened, the local account known. */
export async function openAgents(given: readonly string[], options: OpenOptions): Promise<Opened> {
  const files = given.length === 0 ? [DEFAULT_AGENT] : given;
  const load: Opened['load'] = (file, overrides = {}) =>
    loadWithKey(file, { overrides: { ...options.overrides, ...overrides } });
  const agents: Agent[] = [];
  const overrides = options.overrides ?? {};
  for (const file of files) agents.push(await loadWithKey(file, { overrides, onWarning: warn }));
  const first = agents[0] as Agent; // there is at least one file
  const folder = dataFolder(options.data, first);
  // Before anything runs: a failure here must leave nothing open.
  const user = localAccount(folder);
  const logPath = join(folder, 'holodeck.log');
  const log = createFileLog(logPath);
  const report = (fault: Fault) => options.report?.(sanitizeText(faultText(fault, logPath)));
  const writeTrace = options.writeTrace && { writeTrace: options.writeTrace };
  const runtime = await createRuntime({ agents, folder, log, report, ...writeTrace, ...ocrFromEnvironment() });
  return { runtime, agents, files, folder, user, isShipped: isShipped(first), load };
}

/** Languages of pictures, such as `eng+deu`, and the folder with their data. */
function ocrFromEnvironment(): Pick<RuntimeOptions, 'ocr'> {
  const { HOLODECK_OCR_LANGUAGES: names, HOLODECK_OCR_DATA: folder } = process.env;
  return names ? { ocr: { languages: names.split('+'), ...(folder && { folder }) } } : {};
}

/** The fault with the place where the whole of it is, then what a program printed last. */
function faultText({ text, lines = [] }: Fault, logPath: string): string {
  return [`${text} (log: ${logPath})`, ...lines.map((line) => `  | ${line}`)].join('\n');
}

function warn(text: string): void {
  process.stderr.write(`warning: ${sanitizeText(text)}\n`);
}
