import { appendFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemClock } from '../clock.ts';
import type { Log } from '../log.ts';
import { makePrivateFolder } from '../private-folder.ts';

const MAX_BYTES = 10_000_000;

/** Appends diagnostics to a file, one JSON line each; a full file is renamed to `.old`. Never throws. */
export function createFileLog(path: string): Log {
  return (text, details) => {
    try {
      makeRoom(path);
      appendFileSync(
        path,
        `${JSON.stringify({ time: systemClock.date().toISOString(), text, ...details }, showErrors)}\n`,
        {
          mode: 0o600,
        },
      );
    } catch {
      // A log that cannot be written must not end a conversation.
    }
  };
}

function makeRoom(path: string): void {
  makePrivateFolder(dirname(path));
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_BYTES) renameSync(path, `${path}.old`);
}

function showErrors(_key: string, value: unknown): unknown {
  return value instanceof Error ? (value.stack ?? String(value)) : value;
}
