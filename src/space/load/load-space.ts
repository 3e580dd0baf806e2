import { dirname, relative, resolve } from 'node:path';
import { AppError } from '../../errors.ts';
import { checkValue } from '../../yaml/describe-issue.ts';
import { type Layer, locateFinding, readLayer } from '../../yaml/layer.ts';
import { configInvalid, type Finding } from '../../yaml/problem.ts';
import { resolveFile } from '../../yaml/resolve-file.ts';
import { joinsOf } from '../model/model.ts';
import type { ColumnType } from './column-type.ts';
import type { TableFile } from './read-table.ts';
import { SpaceFile, type TableFileEntry as TableEntry } from './space-file.ts';

/** A checked space, with the real paths of its tables. */
export interface Space {
  file: SpaceFile;
  tables: TableFile[];
}

export interface LoadSpaceOptions {
  /** Tables may be read only from this folder; by default the space's own. */
  root?: string;
  cwd?: string;
}

/** Reads and checks a space. Throws `config_not_found`, or `config_invalid` with every problem at once. */
export async function loadSpace(path: string, options: LoadSpaceOptions = {}): Promise<Space> {
  return (await readSpace(path, options)).space;
}

export interface ReadSpace {
  space: Space;
  /** Builds an error with every finding at its place in the file. */
  refuse(findings: readonly Finding[]): AppError;
}

/** Reads a space for callers that check more and report through `refuse`. */
export async function readSpace(path: string, options: LoadSpaceOptions = {}): Promise<ReadSpace> {
  const { cwd = process.cwd() } = options;
  const full = resolve(cwd, path);
  const read = await readLayer(full, 'agent', cwd);
  if (!read) throw new AppError('config_not_found', { detail: `${path}: there is no such file.` });
  if (read.problems.length > 0) throw configInvalid(read.problems);
  const { data, findings } = checkValue(SpaceFile, read.layer.value);
  if (!data) throw located(findings.map(nameNewKey), read.layer);
  const resolved = await resolveTables(data, { from: dirname(full), root: options.root ?? dirname(full) });
  if (resolved.findings.length > 0) throw located(resolved.findings, read.layer);
  return { space: { file: data, tables: resolved.tables }, refuse: (more) => located(more, read.layer) };
}

/** Keys of older files and what takes their place. */
const OLD_KEYS = new Map([
  ...'names short verbs light actors people hints common pieces'.split(' ').map((key) => [key, 'synonyms'] as const),
  ['noun_of', 'say'],
  ['high', 'highest'],
  ['low', 'lowest'],
  ...'widening needs within parameters'.split(' ').map((key) => [key, undefined] as const),
]);

function nameNewKey(finding: Finding): Finding {
  const key = String(finding.path.at(-1));
  if (!finding.onKey || !OLD_KEYS.has(key)) return finding;
  const now = OLD_KEYS.get(key);
  return { ...finding, message: now === undefined ? 'is no longer used; delete it' : `is now ${now}` };
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
      found.push({
        name,
        path: resolved.path,
        types: typesOf(table.columns),
        indexes: table.indexes,
        ...proofsOf(table, tables),
      });
    else findings.push({ path: ['tables', name, 'file'], message: resolved.problem });
  }
  return { tables: found, findings };
}

/** The key and the joins that are proven when the file is read. */
function proofsOf({ key, joins }: TableEntry, tables: SpaceFile['tables']): Pick<TableFile, 'key' | 'joins'> {
  const listed = joinsOf(joins, tables).map(({ role, table, by }) => ({ role, table, by }));
  return { ...(key !== undefined && { key: [key].flat() }), ...(listed.length > 0 && { joins: listed }) };
}

function typesOf(columns: SpaceFile['tables'][string]['columns']): Record<string, ColumnType> {
  const entries = Object.entries(columns).flatMap(([name, column]) =>
    typeof column === 'object' && column.type ? [[name, column.type] as const] : [],
  );
  return Object.fromEntries(entries);
}
