import { join } from 'node:path';

/** The command as it is published; `test/build-command.ts` builds it. From its sources each start takes twice the time. */
export const COMMAND = join(import.meta.dirname, '..', 'dist', 'main.js');
