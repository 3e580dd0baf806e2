import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const MAX_ENTRIES = 1000;
const OWNER_ONLY = 0o600;

/** What was typed, over all runs; kept in a file that only its owner can read. A file that cannot be used is no reason to stop. */
export interface History {
  add(text: string): void;
  /** The entry before the one shown, remembering what is being typed; undefined at the oldest. */
  older(draft: string): string | undefined;
  /** The entry after it, at the end what was being typed. */
  newer(): string | undefined;
  /** Back to the newest, for a new line. */
  rest(): void;
}

export function createHistory(path: string | undefined): History {
  const entries = path === undefined ? [] : readEntries(path);
  let place = entries.length;
  let typed = '';
  return {
    add(text) {
      if (text === entries.at(-1)) return;
      entries.push(text);
      if (path !== undefined) append(path, text);
    },
    older(draft) {
      if (place === entries.length) typed = draft;
      if (place === 0) return undefined;
      place--;
      return entries[place];
    },
    newer() {
      if (place >= entries.length) return undefined;
      place++;
      return place === entries.length ? typed : entries[place];
    },
    rest() {
      place = entries.length;
      typed = '';
    },
  };
}

function readEntries(path: string): string[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
    const entries = lines.flatMap(readEntry);
    if (lines.length > 2 * MAX_ENTRIES) rewrite(path, entries.slice(-MAX_ENTRIES));
    return entries.slice(-MAX_ENTRIES);
  } catch {
    return [];
  }
}

/** A line that another program broke is left out. */
function readEntry(line: string): string[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'string' ? [value] : [];
  } catch {
    return [];
  }
}

function rewrite(path: string, entries: readonly string[]): void {
  writeFileSync(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: OWNER_ONLY });
}

function append(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    appendFileSync(path, `${JSON.stringify(text)}\n`, { mode: OWNER_ONLY });
    chmodSync(path, OWNER_ONLY);
  } catch {
    // As said above: typing goes on without it.
  }
}
