import { join } from 'node:path';
import { loadAgent, type ReadAgent, readAgent } from '../config/load-agent.ts';
import type { Fault } from '../log.ts';
import { agentSecrets } from '../redaction/agent-secrets.ts';
import { DEFAULT_AGENT, isShipped } from '../runtime/default-folder.ts';
import { createRuntime, type Runtime, type RuntimeOptions } from '../runtime/runtime.ts';
import type { Agent } from '../schema/agent.ts';
import type { User } from '../schema/user.ts';
import { sanitizeText } from '../tools/sanitize.ts';
import { dataFolder } from './data-folder.ts';
import { createFileLog } from './file-log.ts';
import { warn } from './print.ts';
import { userOption, withDatabase, withDatabaseUrl } from './shared-database.ts';

export interface OpenOptions {
  data?: string;
  /** The user in place of the local account: a UUID. */
  user?: string;
  /** Requests bring tokens of their users. */
  hasTokens?: boolean;
  /** Settings from flags, in the shape of agent.yaml. */
  overrides?: Record<string, unknown>;
  /** Receives messages for the author of the agents. */
  report?(text: string): void;
  /** Receives traces as lines if no collector is configured. */
  writeTrace?(line: string): void;
  onTurn?: RuntimeOptions['onTurn'];
}

export interface Opened {
  runtime: Runtime;
  agents: Agent[];
  /** The agents' files, in the same order. */
  files: readonly string[];
  folder: string;
  user: User;
  /** Whether the first agent is part of this package. */
  isShipped: boolean;
  /** Whether the file of the first agent names its model: `holodeck use` does not change it. */
  namesModel: boolean;
  /** Reads one of the files again, with the flags of this command and further settings. */
  load(file: string, overrides?: Record<string, unknown>): Promise<Agent>;
}

/** The start of every command: checks the agents, opens the data folder and reads the local account. */
export async function openAgents(given: readonly string[], options: OpenOptions): Promise<Opened> {
  const files = given.length === 0 ? [DEFAULT_AGENT] : given;
  const load: Opened['load'] = (file, overrides = {}) =>
    loadAgent(file, { overrides: { ...options.overrides, ...overrides } }).then((agent) => withDatabaseUrl(agent));
  const read: ReadAgent[] = [];
  const overrides = options.overrides ?? {};
  for (const file of files) read.push(await readAgent(file, { overrides, onWarning: warn }));
  const agents = read.map(({ agent }) => agent);
  const { agent: first, namesModel } = read[0] as ReadAgent; // there is at least one file
  const shared = withDatabase(agents, options);
  const folder = dataFolder(options.data, first);
  // Read before anything runs, because a failure here must leave nothing open.
  const user = userOption(options.user, folder);
  const logPath = join(folder, 'holodeck.log');
  const log = createFileLog(logPath, agents.flatMap(agentSecrets));
  const report = (fault: Fault) => options.report?.(sanitizeText(faultText(fault, logPath)));
  const onTurn = options.onTurn && { onTurn: options.onTurn };
  const writeTrace = options.writeTrace && { writeTrace: options.writeTrace };
  const runtime = await createRuntime({
    agents: shared,
    folder,
    log,
    report,
    ...writeTrace,
    ...onTurn,
    ...ocrFromEnvironment(),
  });
  return { runtime, agents: shared, files, folder, user, isShipped: isShipped(first), namesModel, load };
}

/** Languages of text in pictures, such as `eng+deu`, and the folder with their data. */
function ocrFromEnvironment(): Pick<RuntimeOptions, 'ocr'> {
  const { HOLODECK_OCR_LANGUAGES: names, HOLODECK_OCR_DATA: folder } = process.env;
  return names ? { ocr: { languages: names.split('+'), ...(folder && { folder }) } } : {};
}

/** The fault with the path of the log, then the last lines that a program printed. */
function faultText({ text, lines = [] }: Fault, logPath: string): string {
  return [`${text} (log: ${logPath})`, ...lines.map((line) => `  | ${line}`)].join('\n');
}
