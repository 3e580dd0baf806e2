import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SEEN_FILE = 'page-hint';

/**
 * A line with the command that serves the web page, shown once per data folder; undefined later, or where that cannot be
 * remembered.
 */
export function takePageHint(folder: string, command: string): string | undefined {
  try {
    writeFileSync(join(folder, SEEN_FILE), '', { flag: 'wx', mode: 0o600 });
  } catch {
    return undefined;
  }
  return `There is a web page too: ${command}`;
}
