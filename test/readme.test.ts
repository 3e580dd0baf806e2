import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isMatch, sessionsOf, withOutputs, withScreens } from '../scripts/docs/console.ts';
import { preparePage, runPage } from '../scripts/docs/run-page.ts';
import { holdSession, TRANSCRIPTS, withoutTimes } from '../scripts/docs/terminal-session.ts';
import { freePort } from './free-port.ts';

const ROOT = join(import.meta.dirname, '..');
const README = join(ROOT, 'README.md');
const NAMES = ['first', 'data'] as const;
const read = () => readFileSync(README, 'utf8');

/** The page with the current outputs of its commands. An output that matches stays as written. */
async function outputsAsTheyAre(markdown: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-readme-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  preparePage(folder);
  for (const name of ['examples', 'bin', 'agents']) symlinkSync(join(ROOT, name), join(folder, name));
  const replace = { 8000: String(await freePort()), '/home/you': folder };
  const ran = await runPage('README.md', { folder, replace });
  const outputs = ran.map(({ output }) => output);
  return withOutputs(markdown, outputs);
}

/** The page with the current screens of its sessions. Times and dates do not count. */
async function screensAsTheyAre(markdown: string): Promise<string> {
  const screens: Record<string, string> = {};
  for (const name of NAMES) {
    const { text } = await holdSession(TRANSCRIPTS[name]);
    const shown = sessionsOf(markdown).find((session) => session.name === name)?.shown ?? '';
    if (!isMatch(withoutTimes(shown), withoutTimes(text))) screens[name] = text;
  }
  return withScreens(markdown, screens);
}

describe('the README', () => {
  it('has every session in the terminal that is made for it', () => {
    expect(sessionsOf(read()).map(({ name }) => name)).toEqual(NAMES);
  });

  it.each(['.', 'examples/kill'])('names a command that a checkout has in %s', (folder) => {
    // Without scripts: npx would run `prepare`, and other tests use the built page at the same time.
    const args = ['--no', '--ignore-scripts', '--', 'holodeck', 'check', join(ROOT, 'agents/todo/agent.yaml')];
    const { stdout, status } = spawnSync('npx', args, { cwd: join(ROOT, folder), encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('is valid: todo-assistant') });
  });

  // `npx vitest run test/readme.test.ts -u` writes the current outputs of the program.
  it('shows the outputs and the screens that its commands have', { timeout: 180_000 }, async () => {
    const shown = await screensAsTheyAre(await outputsAsTheyAre(read()));
    await expect(shown).toMatchFileSnapshot(README);
  });
});
