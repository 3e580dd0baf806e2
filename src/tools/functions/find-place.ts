import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const FRAME = /^\s*at .*?\(?((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*?):(\d+):\d+\)?$/;

/** The innermost line of a stack that is in the folder, such as `price.ts:2`; undefined if none is. */
export function findPlace(stack: string, folder: string): string | undefined {
  for (const line of stack.split('\n')) {
    const [, address, number] = FRAME.exec(line) ?? [];
    const path = address && toPath(address);
    const inside = path && relative(folder, path);
    const isOwn = inside && !inside.startsWith('..') && !inside.split(sep).includes('node_modules');
    if (isOwn) return `${inside}:${number}`;
  }
  return undefined;
}

/** Removes the query that a loader adds to an address. */
function toPath(address: string): string | undefined {
  if (!address.startsWith('file:')) return address;
  try {
    return fileURLToPath(new URL(address).href.split(/[?#]/, 1)[0] ?? '');
  } catch {
    return undefined;
  }
}
