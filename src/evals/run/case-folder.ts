import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory, as Linux has it. */
const IN_MEMORY = '/dev/shm';
/** Containers often have 64 MB there, which a case with large files could fill. */
const LEAST_FREE_BYTES = 512 * 1024 * 1024;

/**
 * Makes the data folder of one case, which is removed after it. It needs to survive no power cut, and in memory the
 * stores wait for no disk. A `TMPDIR` of the user is respected.
 */
export async function makeCaseFolder(name: string): Promise<string> {
  const root = process.env.TMPDIR === undefined && (await hasRoom()) ? IN_MEMORY : tmpdir();
  return mkdtemp(join(root, `holodeck-${name}-`)).catch(() => mkdtemp(join(tmpdir(), `holodeck-${name}-`)));
}

async function hasRoom(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const free = await statfs(IN_MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free >= LEAST_FREE_BYTES;
}
