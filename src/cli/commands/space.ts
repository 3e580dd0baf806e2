import { existsSync, writeFileSync } from 'node:fs';
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
import { loadSpace } from '../../space/load/load-space.ts';
import { createSqlRunner } from '../../space/sql/sql-runner.ts';
import { portableText } from '../called-as.ts';
import { inTemporaryFolder, rootOf } from '../folders.ts';
import { count, print, printAside, warn } from '../print.ts';

/** `holodeck space check FILE`: proves a semantic model over its data. Throws everything that is wrong with it. */
export async function runSpaceCheck(file: string): Promise<void> {
  const { report, summary } = await checkFile(file);
  for (const warning of report.warnings) warn(warning);
  if (report.problems.length > 0) throw new AppError('config_invalid', { detail: report.problems.join('\n') });
  print(`${file} is sound: ${summary}`);
}

type Checked = { report: ModelReport; summary: string };

export function checkFile(file: string): Promise<Checked> {
  return inTemporaryFolder((folder) => checkIn(folder, file));
}

async function checkIn(folder: string, file: string): Promise<Checked> {
  const { file: model, tables: files, prove } = await loadSpace(file, { root: rootOf(resolve(file)) });
  const runner = createSqlRunner({ space: model.name, folder, files, prove, clock: systemClock });
  try {
    const tables = await runner.load().catch((cause: unknown) => {
      if (cause instanceof AppError) throw cause;
      const detail = `${file}: ${cause instanceof Error ? cause.message : String(cause)}`;
      throw new AppError('config_invalid', { detail, cause });
    });
    const { problems, warnings } = await checkModel(
      { file: model },
      { runner, clock: systemClock, vectors: shareVectors() },
    );
    const notes = tables.flatMap((table) => table.notes.map(({ text }) => text));
    const rows = tables.reduce((sum, table) => sum + table.rows, 0).toLocaleString('en-US');
    const { measures, dimensions, verified } = model;
    const counted = (what: object, noun: string) => count(Object.keys(what).length, noun);
    const summary = `${counted(tables, 'table')} with ${rows} rows, ${counted(measures, 'measure')}, ${counted(dimensions, 'dimension')}, ${counted(verified, 'verified question')}`;
    return { report: { problems, warnings: [...notes, ...warnings] }, summary };
  } finally {
    runner.close();
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
  const { file, agent } = newFiles(folder);
  const space = tableName(options.name ?? (tables.length === 1 ? (tables[0]?.name ?? '') : basename(folder)));
  const { draft, hints } = await withProfiles(tables, ({ profiles, database }) => ({
    draft: draftModel(profiles, database),
    hints: findHints(profiles),
  }));
  const drafted = draftQuestions(draft);
  writeFileSync(file, spaceText(space, draft, drafted), { flag: 'wx' });
  const questions = await keepProven(file, drafted);
  if (questions.length < drafted.length) writeFileSync(file, spaceText(space, draft, questions));
  const starters = questions.map(({ ask }) => ask);
  writeFileSync(agent, agentText(space.replaceAll('_', '-'), space, draft, starters), { flag: 'wx' });
  const { report, summary } = await checkFile(file);
  for (const text of [...hints, ...currencyHints(draft), ...report.problems, ...report.warnings])
    printAside(`hint: ${text}`);
  const lines = `  ${portableText(['chat', agent])}\n  ${portableText(['space', 'check', file])}`;
  print(`wrote space.yaml and agent.yaml: ${summary}\n${lines}`);
}

/** The files that a command writes; throws if one is there. */
export function newFiles(folder: string): { file: string; agent: string } {
  const files = { file: join(folder, 'space.yaml'), agent: join(folder, 'agent.yaml') };
  const taken = Object.values(files).find((path) => existsSync(path));
  if (taken) throw new AppError('usage', { detail: `${taken} already exists, and nothing is overwritten.` });
  return files;
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
  return { name: tableName(basename(path)), path, file, indexes: [] };
}

function refuseTwice(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new AppError('usage', { detail: `Two files would be the table ${twice}; rename one.` });
}

type Profiled = Awaited<ReturnType<typeof profileTables>>;

/** Reads CSV files into a database that is removed afterwards. */
export function withProfiles<T>(tables: Parameters<typeof profileTables>[0], use: (read: Profiled) => T): Promise<T> {
  return inTemporaryFolder(async (folder) => {
    try {
      const read = await profileTables(tables, folder);
      const used = use(read);
      read.database.close();
      return used;
    } catch (cause) {
      throw new AppError('usage', { detail: cause instanceof Error ? cause.message : String(cause), cause });
    }
  });
}
