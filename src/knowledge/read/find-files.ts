import type { Dirent } from 'node:fs';
import { lstat, opendir, realpath, stat } from 'node:fs/promises';
import { join, matchesGlob, relative, resolve, sep } from 'node:path';
import { fileTypeOf } from './file-types.ts';

/** A file of a source. */
export interface FoundFile {
  /** Inside the agent's folder, with `/`. */
  path: string;
  /** Inside the folder of the source, with `/`: decides who may see it. */
  place: string;
  /** The real path. */
  file: string;
}

export interface FoundFiles {
  /** Sorted by path, each real file once. */
  files: FoundFile[];
  /** Sentences about files that are left out. */
  remarks: string[];
}

/** More files are left out, with a remark. */
const MAX_FILES = 50_000;
/** Entries that are looked at, whatever their type; bounds the time in a huge folder. */
const MAX_ENTRIES = 200_000;
const SKIPPED_FOLDERS = new Set(['node_modules', '__pycache__']);

/** Names of files and folders that are neither read nor watched. */
export function isSkipped(name: string): boolean {
  return name.startsWith('.') || SKIPPED_FOLDERS.has(name);
}

interface Walk {
  folder: string;
  found: Map<string, FoundFile>;
  /** Real paths of folders that were walked, against cycles of links. */
  walked: Set<string>;
  remarks: Set<string>;
  unknown: Map<string, number>;
  entries: number;
  signal?: AbortSignal | undefined;
}

/** Finds the files of all sources, inside the agent's folder only. Faults become remarks. */
export async function findFiles(
  agentFolder: string,
  sources: readonly string[],
  options: { signal?: AbortSignal | undefined; maxFiles?: number } = {},
): Promise<FoundFiles> {
  const { maxFiles = MAX_FILES } = options;
  const folder = await realpath(agentFolder);
  const lists = { found: new Map(), walked: new Set<string>(), remarks: new Set<string>(), unknown: new Map() };
  const walk: Walk = { folder, ...lists, entries: 0, signal: options.signal };
  for (const source of sources) await findSource(source, walk);
  const files = [...walk.found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  if (files.length > maxFiles)
    walk.remarks.add(`${files.length - maxFiles} files were left out: at most ${maxFiles} are read`);
  const types = [...walk.unknown].sort(([a], [b]) => (a < b ? -1 : 1)).map(([type, count]) => `${count} ${type}`);
  if (types.length > 0) walk.remarks.add(`files of other types were left out: ${types.slice(0, 10).join(', ')}`);
  return { files: files.slice(0, maxFiles), remarks: [...walk.remarks] };
}

async function findSource(source: string, walk: Walk): Promise<void> {
  walk.walked.clear();
  const { real, glob, fault } = await locateSource(walk.folder, source);
  const stats = fault ? undefined : await stat(real);
  if (stats?.isDirectory()) await walkFolder(real, { base: real, glob, walk });
  else if (stats?.isFile()) addFile(real, { base: join(real, '..'), walk, isNamed: true });
  else walk.remarks.add(`${source} ${fault ?? 'is neither a file nor a folder'}`);
}

/** The place of a source; `fault` says why nothing of it is read. */
export async function locateSource(folder: string, source: string) {
  const { base, glob } = splitGlob(source);
  const path = resolve(folder, base);
  const outside = { real: path, glob, fault: "is outside of the agent's folder and was left out" };
  try {
    const real = await realpath(path);
    return isInside(folder, real) ? { real, glob, fault: undefined } : outside;
  } catch (error) {
    return isInside(folder, path) ? { ...outside, fault: describe(error) } : outside;
  }
}

/** The folder before the first part with a wildcard, and the rest as a pattern. */
function splitGlob(source: string): { base: string; glob?: string } {
  const parts = source.replaceAll('\\', '/').split('/');
  const at = parts.findIndex((part) => /[*?[{]/.test(part));
  if (at < 0) return { base: source };
  return { base: parts.slice(0, at).join('/') || '.', glob: parts.slice(at).join('/') };
}

interface Branch {
  /** The real folder of the source. */
  base: string;
  glob?: string | undefined;
  walk: Walk;
}

async function walkFolder(folder: string, branch: Branch): Promise<void> {
  const { walk } = branch;
  if (walk.walked.has(folder)) return;
  walk.walked.add(folder);
  for (const entry of await listFolder(folder, walk)) {
    if (walk.signal?.aborted) return;
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) await followLink(path, branch);
    else if (entry.isDirectory()) await walkFolder(path, branch);
    else if (entry.isFile()) addFile(path, branch);
  }
}

/** The entries in the order of their names, so that a limit always leaves out the same ones. */
async function listFolder(folder: string, walk: Walk): Promise<Dirent[]> {
  const entries: Dirent[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      if (isSkipped(entry.name)) continue;
      if (++walk.entries > MAX_ENTRIES) {
        walk.remarks.add(`${show(folder, walk)} was left: the source has more than ${MAX_ENTRIES} entries`);
        break;
      }
      entries.push(entry);
    }
  } catch (error) {
    walk.remarks.add(`${show(folder, walk)} ${describe(error)}`);
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A link is followed only to a place inside the agent's folder; its document has the path of the real file. */
async function followLink(path: string, branch: Branch): Promise<void> {
  const { walk } = branch;
  try {
    const real = await realpath(path);
    if (!isInside(walk.folder, real)) {
      walk.remarks.add(`${show(path, walk)} is a link that leaves the agent's folder`);
      return;
    }
    const stats = await lstat(real);
    if (stats.isDirectory()) await walkFolder(real, branch);
    else if (stats.isFile()) addFile(real, branch);
  } catch (error) {
    walk.remarks.add(`${show(path, walk)} is a link that ${describe(error)}`);
  }
}

function addFile(file: string, { base, glob, walk, isNamed }: Branch & { isNamed?: true }): void {
  const path = toPath(walk.folder, file);
  // A link may lead to a file beside the source; then its place is its path in the agent's folder.
  const place = isInside(base, file) ? toPath(base, file) : path;
  if (glob !== undefined && !matchesGlob(place, glob)) return;
  if (!fileTypeOf(file)) {
    const name = path.split('/').at(-1) ?? path;
    const type = /\.\w{1,8}$/.exec(name)?.[0].toLowerCase() ?? 'without extension';
    if (isNamed) walk.remarks.add(`${path} is of a type that cannot be read`);
    else walk.unknown.set(type, (walk.unknown.get(type) ?? 0) + 1);
    return;
  }
  const known = walk.found.get(path);
  // With several sources the outermost folder decides who may see the file: the rule that shows it to fewer users.
  if (!known || depth(place) > depth(known.place)) walk.found.set(path, { path, place, file });
}

function depth(place: string): number {
  return place.split('/').length;
}

function toPath(folder: string, file: string): string {
  return relative(folder, file).split(sep).join('/').normalize('NFC');
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function show(path: string, { folder }: Walk): string {
  return toPath(folder, path) || '.';
}

export function describe(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist';
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read by this account';
  if (code === 'ELOOP') return 'leads to itself';
  return `cannot be read${code && ` (${code})`}`;
}
