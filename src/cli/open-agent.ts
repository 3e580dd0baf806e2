import { appendFileSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../clock.ts';
import { loadAgent, type ReadAgent, readAgent } from '../config/load-agent.ts';
import type { Fault, Log } from '../log.ts';
import { makePrivateFolder } from '../private-folder.ts';
import { agentSecrets, secretValues } from '../redaction/agent-secrets.ts';
import { HIDDEN } from '../redaction/finder.ts';
import { TOKENS } from '../redaction/patterns.ts';
import { createRedactor, type Redactor } from '../redaction/redactor.ts';
import type { NamedSecret } from '../redaction/secret-forms.ts';
import { DEFAULT_AGENT, isShipped } from '../runtime/default-folder.ts';
import { createRuntime, type Runtime, type RuntimeOptions } from '../runtime/runtime.ts';
import type { Agent } from '../schema/agent.ts';
import type { User } from '../schema/user.ts';
import { sanitizeText } from '../tools/sanitize.ts';
import { dataFolder } from './folders.ts';
import { userOption, withDatabase, withDatabaseUrl } from './own-store.ts';
import { warn } from './print.ts';

export interface OpenOptions {
  data?: string;
  /** The user in place of the local account: a UUID. */
  user?: string;
  /** Requests bring tokens of their users. */
  hasTokens?: boolean;
  /** Settings from flags, in the shape of agent.yaml. */
  overrides?: Record<string, unknown>;
  /** Receives messages for the author of the agents; `endsTurn` = the turn shows users a sentence of its own. */
  report?(text: string, endsTurn?: boolean): void;
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
  const user = userOption(options.user, folder, agents);
  const logPath = join(folder, 'holodeck.log');
  const log = createFileLog(logPath, agents.flatMap(agentSecrets));
  const report = (fault: Fault) => options.report?.(sanitizeText(faultText(fault, logPath)), fault.endsTurn);
  const { onTurn, writeTrace } = options;
  const hooks = { ...(onTurn && { onTurn }), ...(writeTrace && { writeTrace }), ...ocrFromEnvironment() };
  const runtime = await createRuntime({ agents: shared, folder, log, report, ...hooks });
  return { runtime, agents: shared, files, folder, user, isShipped: isShipped(first), namesModel, load };
}

/** Languages of text in pictures, such as `eng+deu`, and the folder with their data. */
function ocrFromEnvironment(): Pick<RuntimeOptions, 'ocr'> {
  const { HOLODECK_OCR_LANGUAGES: names, HOLODECK_OCR_DATA: folder } = process.env;
  return names ? { ocr: { languages: names.split('+'), ...(folder && { folder }) } } : {};
}

/** The fault with the path of the log, then the last lines that a program printed. */
function faultText({ text, lines = [], endsTurn }: Fault, logPath: string): string {
  return [endsTurn ? text : `${text} (log: ${logPath})`, ...lines.map((line) => `  | ${line}`)].join('\n');
}

const MAX_BYTES = 10_000_000;

/** Appends diagnostics to a file, one JSON line each, without secrets; a full file is renamed to `.old`. Never throws. */
export function createFileLog(path: string, secrets: readonly NamedSecret[] = []): Log {
  let redactor: Redactor | undefined;
  return (text, details) => {
    try {
      makeRoom(path);
      redactor ??= createLogRedactor(secrets);
      const entry = { time: systemClock.date().toISOString(), text, ...details };
      const line = redactor.json(JSON.parse(JSON.stringify(entry, showErrors)));
      appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch {
      // A log that cannot be written must not end a conversation.
    }
  };
}

/** Made with the first line: most runs write none. */
function createLogRedactor(secrets: readonly NamedSecret[]): Redactor {
  return createRedactor({
    secrets: [...secretValues(process.env), ...secrets],
    minChars: 6,
    placeholder: HIDDEN,
    patterns: TOKENS,
    hidesNamedKeys: true,
  });
}

function makeRoom(path: string): void {
  makePrivateFolder(dirname(path));
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_BYTES) renameSync(path, `${path}.old`);
}

function showErrors(_key: string, value: unknown): unknown {
  return value instanceof Error ? (value.stack ?? String(value)) : value;
}
