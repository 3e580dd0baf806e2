import { realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';

/** The real path of a file named in agent.yaml. Never outside its folder, wherever links lead. */
export async function resolveFile(folder: string, file: string): Promise<{ path: string } | { problem: string }> {
  const root = await realpath(folder);
  const missing = { problem: "there is no such file in the agent's folder" };
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
