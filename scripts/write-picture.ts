/** Writes docs/images/terminal.svg, the picture of a chat. Run: npm run docs:picture */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { holdSession, TRANSCRIPTS } from './docs/terminal-session.ts';

const { svg } = await holdSession(TRANSCRIPTS.start);
writeFileSync(join(import.meta.dirname, '..', 'docs/images/terminal.svg'), svg);
