import { appendFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemClock } from '../clock.ts';
import type { Log } from '../log.ts';
import { makePrivateFolder } from '../private-folder.ts';
import { secretValues } from '../redaction/environment.ts';
import { HIDDEN } from '../redaction/finder.ts';
import { TOKENS } from '../redaction/patterns.ts';
import { createRedactor, type Redactor } from '../redaction/redactor.ts';
import type { NamedSecret } from '../redaction/secret-forms.ts';

const MAX_BYTES = 10_000_000;

/** Appends diagnostics to a file, one JSON line each, without secrets; a full file is renamed to `.old`. Never throws. */
export function createFileLog(path: string, secrets: readonly NamedSecret[] = []): Log {
  let redactor: Redactor | undefined;
  return (text, details) => {
    try {
      makeRoom(path);
      redactor ??= createLogRedactor(secrets);
      const entry = { time: systemClock.date().toISOString(), text, ...details };
      const line = redactor.json(JSON.parse(JSON.stringify(entry, showErrors)));
      appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch {
      // A log that cannot be written must not end a conversation.
    }
  };
}

/** Made with the first line: most runs write none. */
function createLogRedactor(secrets: readonly NamedSecret[]): Redactor {
  return createRedactor({
    secrets: [...secretValues(process.env), ...secrets],
    minChars: 6,
    placeholder: HIDDEN,
    patterns: TOKENS,
    hidesNamedKeys: true,
  });
}

function makeRoom(path: string): void {
  makePrivateFolder(dirname(path));
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_BYTES) renameSync(path, `${path}.old`);
}

function showErrors(_key: string, value: unknown): unknown {
  return value instanceof Error ? (value.stack ?? String(value)) : value;
}
