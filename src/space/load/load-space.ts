import { dirname, relative, resolve } from 'node:path';
import { AppError } from '../../errors.ts';
import { checkValue } from '../../yaml/describe-issue.ts';
import { type Layer, locateFinding, readLayer } from '../../yaml/layer.ts';
import { configInvalid, type Finding } from '../../yaml/problem.ts';
import { resolveFile } from '../../yaml/read-file.ts';
import { joinsOf } from '../model/model.ts';
import { findWrongReferences } from './check-references.ts';
import type { LoadedTable } from './load-tables.ts';
import type { TableFile } from './read-table.ts';
import { SpaceFile, type TableFileEntry as TableEntry } from './space-file.ts';

/** A checked space, with the real paths of its tables. */
export interface Space {
  file: SpaceFile;
  tables: TableFile[];
  /** Refuses what the file says about columns, once they are known. */
  prove(loaded: readonly LoadedTable[]): void;
}

export interface LoadSpaceOptions {
  /** Tables may be read only from this folder; by default the space's own. */
  root?: string;
  cwd?: string;
}

/** Reads and checks a space. Throws `config_not_found`, or `config_invalid` with every problem at once. */
export async function loadSpace(path: string, options: LoadSpaceOptions = {}): Promise<Space> {
  const { cwd = process.cwd() } = options;
  const full = resolve(cwd, path);
  const read = await readLayer(full, 'agent', cwd);
  if (!read) throw new AppError('config_not_found', { detail: `${path}: there is no such file.` });
  if (read.problems.length > 0) throw configInvalid(read.problems);
  const { data, findings } = checkValue(SpaceFile, read.layer.value);
  if (!data) throw located(findings, read.layer);
  const resolved = await resolveTables(data, { from: dirname(full), root: options.root ?? dirname(full) });
  const refuse = (found: readonly Finding[]) => {
    if (found.length > 0) throw located(found, read.layer);
  };
  refuse([...resolved.findings, ...findWrongReferences(data)]);
  return { file: data, tables: resolved.tables, prove: (loaded) => refuse(findWrongReferences(data, loaded)) };
}

function located(findings: readonly Finding[], layer: Layer): AppError {
  return configInvalid(findings.map((finding) => locateFinding(finding, [layer])));
}

async function resolveTables({ tables }: SpaceFile, { from, root }: { from: string; root: string }) {
  const found: TableFile[] = [];
  const findings: Finding[] = [];
  for (const [name, table] of Object.entries(tables)) {
    const resolved = await resolveFile(root, relative(root, resolve(from, table.file)));
    if ('path' in resolved)
      found.push({ name, path: resolved.path, indexes: table.indexes, ...proofsOf(table, tables) });
    else findings.push({ path: ['tables', name, 'file'], message: resolved.problem });
  }
  return { tables: found, findings };
}

/** The key and the joins that are proven when the file is read. */
function proofsOf({ key, joins }: TableEntry, tables: SpaceFile['tables']): Pick<TableFile, 'key' | 'joins'> {
  const listed = joinsOf(joins, tables).map(({ role, table, by }) => ({ role, table, by }));
  return { ...(key !== undefined && { key: [key].flat() }), ...(listed.length > 0 && { joins: listed }) };
}
