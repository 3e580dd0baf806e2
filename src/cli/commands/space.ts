import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { systemClock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { shareVectors } from '../../runtime/agents/domains.ts';
import { checkModel, type ModelReport } from '../../space/check/check-model.ts';
import {
  agentText,
  currencyHints,
  type DraftedQuestion,
  draftQuestions,
  spaceText,
} from '../../space/draft/draft-files.ts';
import { draftModel } from '../../space/draft/draft-model.ts';
import { tableName } from '../../space/draft/guess.ts';
import { findHints, profileTables } from '../../space/draft/profile-table.ts';
import { readSpace } from '../../space/load/load-space.ts';
import { createSqlRunner } from '../../space/sql/sql-runner.ts';
import { checkQuestions } from '../../space/trusted/check-questions.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import type { Finding } from '../../yaml/problem.ts';
import { portableText } from '../called-as.ts';
import { rootOf } from '../space-root.ts';

/** `holodeck space check FILE`: proves a semantic model over its data. Throws everything that is wrong with it. */
export async function runSpaceCheck(file: string): Promise<void> {
  const { report, summary, findings } = await checkFile(file);
  const problems = [...report.problems, ...findings.map(({ path, message }) => `${path.join('.')}: ${message}`)];
  for (const warning of report.warnings) process.stderr.write(`${sanitizeText(`warning: ${warning}`)}\n`);
  if (problems.length > 0) throw new AppError('config_invalid', { detail: problems.join('\n') });
  process.stdout.write(`${sanitizeText(`${file} is sound: ${summary}`)}\n`);
}

type Checked = { report: ModelReport; findings: Finding[]; summary: string };

/** `findings` are faults in the SQL of trusted questions. */
export async function checkFile(file: string): Promise<Checked> {
  const { space } = await readSpace(file, { root: rootOf(resolve(file)) });
  const folder = await mkdtemp(join(tmpdir(), 'holodeck-space-'));
  const runner = createSqlRunner({ space: space.file.name, folder, files: space.tables, clock: systemClock });
  try {
    const tables = await runner.load().catch((cause: unknown) => {
      const detail = `${file}: ${cause instanceof Error ? cause.message : String(cause)}`;
      throw new AppError('config_invalid', { detail, cause });
    });
    const { problems, warnings } = await checkModel(space, { runner, clock: systemClock, vectors: shareVectors() });
    const notes = tables.flatMap((table) => table.notes.map(({ text }) => text));
    const rows = tables.reduce((sum, table) => sum + table.rows, 0).toLocaleString('en-US');
    const { measures, dimensions, verified } = space.file;
    const count = (what: object, noun: string) => {
      const { length } = Object.keys(what);
      return `${length} ${noun}${length === 1 ? '' : 's'}`;
    };
    const summary = `${count(tables, 'table')} with ${rows} rows, ${count(measures, 'measure')}, ${count(dimensions, 'dimension')}, ${count(verified, 'verified question')}`;
    const findings = await checkQuestions(space, runner);
    return { report: { problems, warnings: [...notes, ...warnings] }, findings, summary };
  } finally {
    runner.close();
    await rm(folder, { recursive: true, force: true });
  }
}

export interface SpaceInitOptions {
  dir?: string;
  name?: string;
}

/** `holodeck space init FILES`: drafts space.yaml and agent.yaml from CSV files. Never overwrites a file. */
export async function runSpaceInit(files: readonly string[], options: SpaceInitOptions): Promise<void> {
  const folder = resolve(options.dir ?? dirname(files[0] ?? '.'));
  const tables = files.map((file) => toTable(resolve(file), folder));
  refuseTwice(tables.map(({ name }) => name));
  for (const name of ['space.yaml', 'agent.yaml']) {
    if (existsSync(join(folder, name)))
      throw new AppError('usage', { detail: `${join(folder, name)} already exists, and nothing is overwritten.` });
  }
  const space = tableName(options.name ?? (tables.length === 1 ? (tables[0]?.name ?? '') : basename(folder)));
  const { draft, hints } = await profile(tables);
  const file = join(folder, 'space.yaml');
  const drafted = draftQuestions(draft);
  writeFileSync(file, spaceText(space, draft, drafted), { flag: 'wx' });
  const questions = await keepProven(file, drafted);
  if (questions.length < drafted.length) writeFileSync(file, spaceText(space, draft, questions));
  const starters = questions.map(({ ask }) => ask);
  writeFileSync(join(folder, 'agent.yaml'), agentText(space.replaceAll('_', '-'), space, draft, starters), {
    flag: 'wx',
  });
  const { report, summary } = await checkFile(join(folder, 'space.yaml'));
  for (const text of [...hints, ...currencyHints(draft), ...report.problems, ...report.warnings])
    process.stderr.write(`${sanitizeText(`hint: ${text}`)}\n`);
  const next = [
    ['chat', join(folder, 'agent.yaml')],
    ['space', 'check', join(folder, 'space.yaml')],
  ];
  const lines = next.map((words) => `  ${portableText(words)}`).join('\n');
  process.stdout.write(sanitizeText(`wrote space.yaml and agent.yaml: ${summary}\n${lines}\n`));
}

/** Drafted questions that are read as their query. The others would be tests that fail. */
async function keepProven(file: string, drafted: readonly DraftedQuestion[]): Promise<DraftedQuestion[]> {
  const { report } = await checkFile(file);
  return drafted.filter(({ ask }) => !report.problems.some((text) => text.includes(`"${ask}"`)));
}

function toTable(path: string, folder: string) {
  const file = relative(folder, path);
  if (!existsSync(path)) throw new AppError('usage', { detail: `${path}: there is no such file.` });
  if (file.startsWith(`..${sep}`) || file === '..')
    throw new AppError('usage', { detail: `${path} is outside of ${folder}; copy it there, or use --dir.` });
  return { name: tableName(basename(path)), path, file, types: {}, indexes: [] };
}

function refuseTwice(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new AppError('usage', { detail: `Two files would be the table ${twice}; rename one.` });
}

async function profile(tables: readonly ReturnType<typeof toTable>[]) {
  const folder = await mkdtemp(join(tmpdir(), 'holodeck-draft-'));
  try {
    const { profiles, database } = await profileTables(tables, folder);
    const draft = draftModel(profiles, database);
    database.close();
    return { draft, hints: findHints(profiles) };
  } catch (cause) {
    throw new AppError('usage', { detail: cause instanceof Error ? cause.message : String(cause), cause });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
