import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Completion } from '../terminal/complete.ts';

const LISTED = 50;

/** Reads a path as people type it and terminals paste it: plain, quoted, with escaped spaces, or starting with `~/`. */
export function readTypedPath(typed: string): string {
  const plain = resolve(typed);
  return existsSync(plain) ? plain : resolve(expandHome(unquote(typed)));
}

/** Reads one shell word, but allows unescaped spaces and an open quote. */
function unquote(typed: string): string {
  return typed.replace(/'([^']*)(?:'|$)|"((?:\\.|[^"\\])*)(?:"|$)|\\(.)/gs, (_, single, double, escaped) => {
    if (single !== undefined) return single;
    return double === undefined ? escaped : double.replace(/\\(["\\$`])/g, '$1');
  });
}

function expandHome(path: string): string {
  return /^~(?=$|\/)/.test(path) ? join(homedir(), path.slice(1)) : path;
}

/** Completes the path at the end of a text, in the same quoting style. */
export function completePath(text: string, typed: string): Completion {
  if (typed === '~') return { start: text.length - 1, candidates: ['~/'] };
  const begun = typed.slice(typed.lastIndexOf('/') + 1);
  const quote = /^['"]/.test(begun) ? begun.slice(0, 1) : '';
  const isEscaped = begun.includes('\\') && !/^['"]/.test(typed);
  const write = (name: string) => quote + (isEscaped ? name.replace(/[\s\\'"]/g, '\\$&') : name);
  const readings = [typed, expandHome(unquote(typed))];
  const names = readings.map(namesFrom).find((found) => found.length > 0) ?? [];
  return { start: text.length - begun.length, candidates: names.slice(0, LISTED).map(write) };
}

function namesFrom(path: string): string[] {
  const begun = path.slice(path.lastIndexOf('/') + 1);
  return entriesOf(dirname(`${path}x`)).filter((name) => name.startsWith(begun));
}

function entriesOf(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
  } catch {
    return [];
  }
}
