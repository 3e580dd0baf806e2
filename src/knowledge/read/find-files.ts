import type { Dirent } from 'node:fs';
import { lstat, opendir, realpath, stat } from 'node:fs/promises';
import { join, matchesGlob, relative, resolve, sep } from 'node:path';
import { fileTypeOf } from './file-types.ts';

/** A file of a source. */
export interface FoundFile {
  /** Inside the agent's folder, with `/`: that of the file, or of the first link to a file outside of the source. */
  path: string;
  /** Its paths inside the folders of the sources, with `/`, as JSON: only users who may see all of them see the file. */
  places: string;
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
  /** Files by their real path. */
  found: Map<string, FoundFile>;
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
  const lists = { found: new Map(), remarks: new Set<string>(), unknown: new Map() };
  const walk: Walk = { folder, ...lists, entries: 0, signal: options.signal };
  for (const source of sources) await findSource(source, walk);
  // Two names may differ in the notation of their accents alone.
  const byPath = new Map([...walk.found.values()].map((one) => [one.path, one]));
  const files = [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  if (files.length > maxFiles)
    walk.remarks.add(`${files.length - maxFiles} files were left out: at most ${maxFiles} are read`);
  const types = [...walk.unknown].sort(([a], [b]) => (a < b ? -1 : 1)).map(([type, count]) => `${count} ${type}`);
  if (types.length > 0) walk.remarks.add(`files of other types were left out: ${types.slice(0, 10).join(', ')}`);
  return { files: files.slice(0, maxFiles), remarks: [...walk.remarks] };
}

async function findSource(source: string, walk: Walk): Promise<void> {
  const { real, glob, fault } = await locateSource(walk.folder, source);
  const stats = fault ? undefined : await stat(real);
  const lists = { own: new Set<string>(), links: [] };
  const start = { path: real, real, parents: [] };
  if (stats?.isDirectory()) {
    const branch: Branch = { base: real, glob, walk, ...lists };
    await walkFolder(start, branch);
    // Links come last, so that those to files of the source itself add nothing; the walk of one may add more.
    for (const link of branch.links) await followLink(link, branch);
  } else if (stats?.isFile()) addFile(start, { base: join(real, '..'), walk, ...lists, isNamed: true });
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
  /** Real paths of files and folders that the source holds without a link. */
  own: Set<string>;
  links: Place[];
}

/** A file, folder or link as the walk reached it. */
interface Place {
  path: string;
  real: string;
  /** The real folders above it, against cycles of links. */
  parents: readonly string[];
}

async function walkFolder({ path, real, parents }: Place, branch: Branch): Promise<void> {
  const { walk, own, links } = branch;
  if (own.has(real) || parents.includes(real)) return;
  if (path === real) own.add(real);
  for (const entry of await listFolder(path, walk)) {
    if (walk.signal?.aborted) return;
    const inner = { path: join(path, entry.name), real: join(real, entry.name), parents: [...parents, real] };
    if (entry.isSymbolicLink()) links.push(inner);
    else if (entry.isDirectory()) await walkFolder(inner, branch);
    else if (entry.isFile()) addFile(inner, branch);
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

/** A link is followed only to a place inside the agent's folder. Its own place decides who may see its documents. */
async function followLink({ path, parents }: Place, branch: Branch): Promise<void> {
  const { walk } = branch;
  try {
    const real = await realpath(path);
    if (!isInside(walk.folder, real)) {
      walk.remarks.add(`${show(path, walk)} is a link that leaves the agent's folder`);
      return;
    }
    const stats = await lstat(real);
    if (stats.isDirectory()) await walkFolder({ path, real, parents }, branch);
    else if (stats.isFile()) addFile({ path, real, parents }, branch);
  } catch (error) {
    walk.remarks.add(`${show(path, walk)} is a link that ${describe(error)}`);
  }
}

function addFile(
  { path: reached, real }: Place,
  { base, glob, walk, own, isNamed }: Omit<Branch, 'links'> & { isNamed?: true },
): void {
  const path = toPath(walk.folder, reached);
  const place = toPath(base, reached);
  if ((glob !== undefined && !matchesGlob(place, glob)) || own.has(real)) return;
  if (reached === real) own.add(real);
  if (!fileTypeOf(real)) {
    const type = /\.\w{1,8}$/.exec(real)?.[0].toLowerCase() ?? 'without extension';
    if (isNamed) walk.remarks.add(`${path} is of a type that cannot be read`);
    else walk.unknown.set(type, (walk.unknown.get(type) ?? 0) + 1);
    return;
  }
  const known = walk.found.get(real) ?? { path, places: '[]', file: real };
  const isFirst = reached === real || (path < known.path && known.path !== toPath(walk.folder, real));
  const places = JSON.stringify([...new Set([...JSON.parse(known.places), place])].sort());
  walk.found.set(real, { path: isFirst ? path : known.path, places, file: real });
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
