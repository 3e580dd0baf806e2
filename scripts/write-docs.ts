/**
 * Writes the pages that are generated from the program. Run: npm run docs:write
 * With `--pictures` it also draws the pictures of the terminal and, in a browser, of the page.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATED_PAGES } from './docs/generated-pages.ts';
import { holdSession, TRANSCRIPTS } from './docs/terminal-session.ts';

const ROOT = join(import.meta.dirname, '..');

for (const [path, make] of Object.entries(GENERATED_PAGES)) writeFileSync(join(ROOT, path), await make());
if (process.argv.includes('--pictures')) await writePictures();

async function writePictures(): Promise<void> {
  const { svg } = await holdSession(TRANSCRIPTS.start);
  writeFileSync(join(ROOT, 'docs/images/terminal.svg'), svg);
  const args = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', 'test/page/files.test.ts'];
  const env = { ...process.env, WRITE_PICTURES: '1' };
  process.exitCode = spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' }).status ?? 1;
}
