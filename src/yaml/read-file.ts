import { isUtf8 } from 'node:buffer';
import { constants, open, realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';

const { O_RDONLY, O_NONBLOCK = 0 } = constants;

const MAX_FILE_BYTES = 256 * 1024;

export type FileText = { text: string } | { problem: string; line?: number; column?: number } | 'missing' | 'folder';

/** Reads a small text file. Never throws, never waits for a pipe, never reads more than the limit. */
export async function readTextFile(path: string, maxBytes: number = MAX_FILE_BYTES): Promise<FileText> {
  try {
    await using handle = await open(path, O_RDONLY | O_NONBLOCK);
    const stat = await handle.stat();
    if (stat.isDirectory()) return 'folder';
    if (!stat.isFile()) return { problem: 'is not a regular file' };
    const buffer = Buffer.alloc(maxBytes + 1);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    if (bytesRead > maxBytes) return { problem: `is larger than ${Math.floor(maxBytes / 1024)} KB; make it smaller` };
    return decode(buffer.subarray(0, bytesRead));
  } catch (error) {
    return explain(error);
  }
}

function decode(bytes: Buffer): FileText {
  if (isUtf8(bytes)) return { text: new TextDecoder().decode(bytes) };
  let line = 1;
  let start = 0;
  for (let end = bytes.indexOf(10); end !== -1 && isUtf8(bytes.subarray(start, end)); end = bytes.indexOf(10, start)) {
    start = end + 1;
    line++;
  }
  const column = bytes.subarray(start).toString().indexOf('\ufffd') + 1;
  return { problem: 'is not valid UTF-8; save it as UTF-8', line, column };
}

const MISSING = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'ERR_INVALID_ARG_VALUE'];

function explain(error: unknown): FileText {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (MISSING.includes(code)) return 'missing';
  return { problem: code === 'EACCES' ? 'cannot be read; check its permissions' : `could not be read (${code})` };
}

/** The real path of a file named in agent.yaml. Never outside its folder, wherever links lead. */
export async function resolveFile(folder: string, file: string): Promise<{ path: string } | { problem: string }> {
  const root = await realpath(folder);
  const missing = { problem: "there is no such file in the agent's folder; create it or correct its path" };
  const outside = { problem: "leads out of the agent's folder; move the file into it" };
  if (!isInside(root, resolve(root, file))) return outside;
  try {
    const path = await realpath(resolve(root, file));
    if (!isInside(root, path)) return outside;
    return (await stat(path)).isFile() ? { path } : missing;
  } catch {
    return missing;
  }
}

function isInside(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}
