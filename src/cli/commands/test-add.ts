import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { loadAgent } from '../../config/load-agent.ts';
import { AppError } from '../../errors.ts';
import { addCase, caseOfConversation, type ToldTurn } from '../../evals/cases/case-of-conversation.ts';
import { readTestCases } from '../../evals/cases/read-test-cases.ts';
import { createRedactor, RedactionFile } from '../../evals/cases/redact.ts';
import { findSecrets } from '../../evals/cassette/tape-redactor.ts';
import { DEFAULT_AGENT, isShipped } from '../../runtime/default-folder.ts';
import { titleOf } from '../../schema/conversation/conversation.ts';
import type { User } from '../../schema/user.ts';
import type { Store } from '../../store/store.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import { checkValue } from '../../yaml/describe-issue.ts';
import { formatPath } from '../../yaml/problem.ts';
import { findData, readConversationId, withOwnStore } from '../own-store.ts';

export interface TestAddOptions {
  name?: string;
  rules?: string;
  data?: string;
}

const RULES_FILE = 'redact.yaml';
const MAX_NAME = 60;

/** `holodeck test add`: writes a stored conversation of the local account as a test case, without personal data. */
export async function runTestAdd(id: string, file: string | undefined, options: TestAddOptions): Promise<void> {
  const agent = await loadAgent(file ?? DEFAULT_AGENT, { withTests: true });
  const rules = readRules(options.rules ?? join(agent.folder, RULES_FILE), options.rules);
  const redactor = createRedactor(rules, findSecrets(agent));
  const { title, turns } = await readConversation(id, file, options);
  const known = new Set((await readTestCases(agent)).map(({ name }) => name));
  // A name is cut after it is redacted: half an address is no address to the rules.
  const name = newName(redactor.text(options.name ?? title), known);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const { testCase, files } = caseOfConversation(turns, { name, timezone: timeZone, redactor });
  const target = isShipped(agent) ? undefined : (agent.test_cases_file ?? agentFile(file ?? DEFAULT_AGENT));
  if (target) addCase(target, testCase);
  else process.stdout.write(stringify([testCase]));
  const shown = `"${sanitizeText(String(testCase.name))}"`;
  const lines = [
    target ? `added ${shown} to ${target}` : `${shown} is above: the files of a shipped agent are not changed`,
    `redacted: ${[...redactor.counts()].map(([rule, count]) => `${count} × ${rule}`).join(', ') || 'nothing'}`,
    ...(files.length > 0 ? [`put next to the agent: ${files.map(describeFile).join(', ')}`] : []),
    'Read the case before you commit it: no rule finds everything.',
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}

function describeFile({ path, sent }: { path: string; sent: string }): string {
  return sanitizeText(path === sent ? path : `${path} (you sent it as ${sent})`);
}

function agentFile(given: string): string {
  return statSync(given).isDirectory() ? join(given, 'agent.yaml') : given;
}

/** The author's own rules; the usual file may be absent. */
function readRules(path: string, isChosen: string | undefined): RedactionFile {
  if (!existsSync(path) && isChosen === undefined) return RedactionFile.parse({});
  let value: unknown;
  try {
    value = parse(readFileSync(path, 'utf8'));
  } catch {
    throw new AppError('cases_invalid', { detail: `${path} could not be read as YAML.` });
  }
  const { data, findings } = checkValue(RedactionFile, value ?? {});
  const bad = data?.patterns.find(({ regex }) => !isPattern(regex));
  const problems = findings.map((finding) => `${formatPath(finding.path)}: ${finding.message}`);
  if (bad) problems.push(`patterns: ${bad.name} is not a regular expression`);
  if (!data || problems.length > 0) {
    throw new AppError('cases_invalid', {
      detail: `${basename(dirname(path))}/${basename(path)}: ${problems.join('; ')}`,
    });
  }
  return data;
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'gu');
    return true;
  } catch {
    return false;
  }
}

async function readConversation(
  id: string,
  file: string | undefined,
  options: TestAddOptions,
): Promise<{ title: string; turns: ToldTurn[] }> {
  const wanted = readConversationId(id);
  if ((await findData(file, options)).database !== undefined) {
    const detail = 'The data is in a shared database. Cases are made from conversations of the local account only.';
    throw new AppError('usage', { detail });
  }
  return withOwnStore(file, options, async (store, user) => {
    const conversation = await store.readConversation(user, wanted);
    if (!conversation) throw new AppError('not_found', { detail: `There is no conversation ${id} of yours.` });
    const turns = await readTurns(store, user, wanted);
    if (turns.length === 0) throw new AppError('usage', { detail: 'The conversation has no finished turn.' });
    return { title: fullTitle(titleOf(conversation), turns[0]?.input ?? '') || id, turns };
  });
}

/** A title may be the beginning of the first message, cut anywhere. */
function fullTitle(title: string, input: string): string {
  return input.startsWith(title.replace(/…$/, '')) ? input : title;
}

async function readTurns(store: Store, user: User, id: string): Promise<ToldTurn[]> {
  const history = await store.readHistory(user, id);
  const asked = history.flatMap(({ turnId, message }) => (message.role === 'user' ? [{ turnId, message }] : []));
  const turns = await Promise.all(
    asked.map(async ({ turnId, message: { content, metadata, timestamp } }) => {
      return { input: content, metadata, at: timestamp, events: await store.readEvents(user, turnId) };
    }),
  );
  return turns.filter(({ events }) => events.some(({ type }) => type === 'turn-end'));
}

function newName(wanted: string, known: ReadonlySet<string>): string {
  const plain = wanted.replace(/\s+/g, ' ').trim().slice(0, MAX_NAME);
  if (!known.has(plain)) return plain;
  let number = 2;
  while (known.has(`${plain} (${number})`)) number++;
  return `${plain} (${number})`;
}
