import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const MAX_ENTRIES = 1000;
const OWNER_ONLY = 0o600;

/** Typed lines of all runs, in a file that only its owner can read. An unusable file is ignored. */
export interface History {
  add(text: string): void;
  /** Returns the previous entry and remembers the current draft; undefined at the oldest. */
  older(draft: string): string | undefined;
  /** Returns the next entry, and at the end the draft. */
  newer(): string | undefined;
  /** Moves back to the newest entry, for a new line. */
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

/** A line that another program damaged is skipped. */
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
    // The history is optional, so errors are ignored.
  }
}
