import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { localAccount } from '../identity/local-account.ts';
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
  /** No file was given: the agent that ships. */
  isShipped: boolean;
  /** Reads one of the files again, with the flags of this command and other settings on top. */
  load(file: string, overrides?: Record<string, unknown>): Promise<Agent>;
}

/** `agents/` stands beside the bundle's folder, and two levels above this source file. */
const AGENTS = import.meta.url.endsWith('.ts') ? '../../agents/' : '../agents/';
const SHIPPED_AGENT = fileURLToPath(new URL(`${AGENTS}todo/agent.yaml`, import.meta.url));

/** What every command begins with: the agents checked, the data folder opened, the local account known. */
export async function openAgents(given: readonly string[], options: OpenOptions): Promise<Opened> {
  const isShipped = given.length === 0;
  const files = isShipped ? [SHIPPED_AGENT] : given;
  const load: Opened['load'] = (file, overrides = {}) =>
    loadWithKey(file, { overrides: { ...options.overrides, ...overrides } });
  const agents: Agent[] = [];
  const overrides = options.overrides ?? {};
  for (const file of files) agents.push(await loadWithKey(file, { overrides, onWarning: warn }));
  const folder = dataFolder(options.data, isShipped ? undefined : agents[0]);
  // Before anything runs: a failure here must leave nothing open.
  const user = localAccount(folder);
  const log = createFileLog(join(folder, 'holodeck.log'));
  const writeTrace = options.writeTrace && { writeTrace: options.writeTrace };
  const runtime = await createRuntime({ agents, folder, log, ...writeTrace, ...ocrFromEnvironment() });
  return { runtime, agents, files, folder, user, isShipped, load };
}

/** Languages of pictures, such as `eng+deu`, and the folder with their data. */
function ocrFromEnvironment(): Pick<RuntimeOptions, 'ocr'> {
  const { HOLODECK_OCR_LANGUAGES: names, HOLODECK_OCR_DATA: folder } = process.env;
  return names ? { ocr: { languages: names.split('+'), ...(folder && { folder }) } } : {};
}

function warn(text: string): void {
  process.stderr.write(`warning: ${sanitizeText(text)}\n`);
}
