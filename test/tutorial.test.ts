import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMatch, stepsOf, withOutputs } from '../scripts/docs/console.ts';
import { preparePage, runPage } from '../scripts/docs/run-page.ts';
import { type FakeModelServer, startModelServer } from './fakes/model-server.ts';
import { freePort } from './free-port.ts';
import { call, say } from './terminal/session.ts';

const ROOT = join(import.meta.dirname, '..');
const CHAPTERS = [
  '1-first-agent',
  '2-function-tool',
  '3-mcp-server',
  '4-model',
  '5-serve',
  '6-test',
  '7-data',
  '8-documents',
  '9-team',
];

describe('the tutorial', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-tutorial-'));
  let model: FakeModelServer;
  let port: number;

  beforeAll(async () => {
    preparePage(folder);
    port = await freePort();
    const prices = call(['price', { product: 'tea' }], ['price', { product: 'coffee' }]);
    model = await startModelServer([prices, say('Yes: tea costs 2.50 EUR and coffee 3.20 EUR.')]);
  });
  afterAll(async () => {
    await model[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  // Each chapter begins with the files of the previous one. `npx vitest run test/tutorial.test.ts -u` writes new
  // outputs.
  it.each(CHAPTERS)('does what chapter %s shows', { timeout: 120_000 }, async (chapter) => {
    const page = `docs/tutorial/${chapter}.md`;
    const ran = await runPage(page, {
      folder,
      startIn: chapter === CHAPTERS[0] ? '.' : 'shop',
      replace: { 8000: String(port), 'https://generativelanguage.googleapis.com': model.url, '/home/you': folder },
    });
    expect(ran.length).toBeGreaterThan(0);
    const outputs = ran.map(({ output }) => output);
    const shown = withOutputs(readFileSync(join(ROOT, page), 'utf8'), outputs);
    await expect(shown).toMatchFileSnapshot(join(ROOT, page));
  });

  it('is listed whole on its first page', () => {
    const [...listed] = readFileSync(join(ROOT, 'docs/tutorial/README.md'), 'utf8').matchAll(/\]\((\d-[\w-]+)\.md\)/g);
    expect(listed.map((match) => match[1])).toEqual(CHAPTERS);
  });
});

describe('pages whose commands run', () => {
  const page = 'Text.\n\n```yaml a.yaml\nname: a\n```\n\n```console\n$ one \\\n  two\nout …\n$ three\n```\n';

  it('have files, commands and outputs', () => {
    expect(stepsOf(page)).toEqual([
      { kind: 'file', name: 'a.yaml', text: 'name: a\n' },
      { kind: 'command', command: 'one \\\n  two', expected: 'out …', isServer: false },
      { kind: 'command', command: 'three', expected: '', isServer: false },
    ]);
  });

  it('keep an output that matches and replace one that does not', () => {
    expect(withOutputs(page, ['out 5\n', ''])).toBe(page);
    expect(withOutputs(page, ['new\n', ''])).toBe(page.replace('out …', 'new'));
  });

  it.each([
    ['took … ms', 'took 5 ms\n', true],
    ['took … ms', 'took 5 s\n', false],
    ['a\n…\nz', 'a\nb\nc\nz', true],
    ['a.c', 'abc', false],
    ['', '\n', true],
  ])('match %j with %j: %s', (expected, output, result) => {
    expect(isMatch(expected, output)).toBe(result);
  });
});
