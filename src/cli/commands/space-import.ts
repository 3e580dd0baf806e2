import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import * as z from 'zod';
import { AppError } from '../../errors.ts';
import { isObject, type JsonObject } from '../../schema/json.ts';
import { agentText } from '../../space/draft/draft-files.ts';
import { tableName } from '../../space/draft/guess.ts';
import type { TableProfile } from '../../space/draft/profile-table.ts';
import { convertView } from '../../space/import/convert.ts';
import { fromOsi, OsiModel } from '../../space/import/from-osi.ts';
import { SemanticView, unreadKeys } from '../../space/import/semantic-view.ts';
import { portableText } from '../called-as.ts';
import { print, printAside } from '../print.ts';
import { checkFile, newFiles, withProfiles } from './space.ts';

/**
 * `holodeck space import FILE`: writes space.yaml and agent.yaml from the plain part of a Snowflake semantic view or an
 * Open Semantic Interchange file, over CSV files named like its tables. Never overwrites a file.
 */
export async function runSpaceImport(file: string, options: { dir?: string }): Promise<void> {
  const folder = resolve(options.dir ?? dirname(file));
  const { file: target, agent } = newFiles(folder);
  const profiles = await profileFolder(folder);
  const { view, unread } = readView(file, profiles);
  const { lost, ...model } = convertView(view, profiles);
  if (Object.keys(model.tables).length === 0)
    throw new AppError('usage', { detail: `${folder} has no CSV file for a table of ${file}: ${lost.join(', ')}.` });
  const name = tableName(view.name);
  const title = name.replaceAll('_', ' ');
  const space = { name, title, description: view.description ?? title, ...model };
  const text = `# Imported. \`holodeck space check\` proves it.\n${stringify(space, { lineWidth: 120 })}`;
  writeFileSync(target, text, { flag: 'wx' });
  const [measures, dimensions] = [Object.keys(model.measures), Object.keys(model.dimensions)];
  const starters = measures.flatMap((measure) =>
    dimensions.slice(0, 1).map((dimension) => `${measure} by ${dimension}`),
  );
  writeFileSync(agent, agentText(name.replaceAll('_', '-'), name, model, starters), { flag: 'wx' });
  const { report, summary } = await checkFile(target);
  const queries = view.verified_queries.map(({ name: query }) => `verified query ${query} (it is SQL)`);
  for (const text of [...unread, ...lost, ...queries]) printAside(`not imported: ${text}`);
  for (const text of [...report.problems, ...report.warnings]) printAside(`hint: ${text}`);
  print(`wrote space.yaml and agent.yaml: ${summary}\n  ${portableText(['chat', agent])}`);
}

/** The columns of every CSV file in the folder. */
async function profileFolder(folder: string): Promise<TableProfile[]> {
  const names = readdirSync(folder).filter((name) => /\.csv$/i.test(name));
  const files = names.map((file) => ({ name: tableName(file), path: join(folder, file), file, indexes: [] }));
  return withProfiles(files, ({ profiles }) => profiles);
}

function readView(file: string, profiles: readonly TableProfile[]): { view: SemanticView; unread: string[] } {
  try {
    const found: unknown = parse(readFileSync(file, 'utf8'));
    const given: JsonObject = isObject(found) ? found : {};
    const [model, ...others] = [given.semantic_model ?? []].flat();
    const isNumber = (table: string, column: string) =>
      profiles
        .find(({ name }) => name === tableName(table))
        ?.columns.some(({ name, kind }) => name.toLowerCase() === column.toLowerCase() && kind === 'number') ?? false;
    const whole = model === undefined ? given : fromOsi(OsiModel.parse(model), isNumber);
    const rest = others.map((other) => `semantic_model ${isObject(other) ? String(other.name) : ''}`);
    return { view: SemanticView.parse(whole), unread: [...unreadKeys(whole as JsonObject), ...rest] }; // read from YAML
  } catch (cause) {
    const problem = cause instanceof z.ZodError ? z.prettifyError(cause) : cause instanceof Error ? cause.message : '';
    const detail = `${file}: not a Snowflake semantic view and no Open Semantic Interchange model. ${problem}`;
    throw new AppError('config_invalid', { detail, cause });
  }
}
