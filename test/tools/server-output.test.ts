import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../src/log.ts';
import { ALICE } from '../build.ts';
import { openScript, SERVERS } from '../fixtures/mcp-servers/open.ts';
import { freePort } from '../free-port.ts';
import { startProgram, writeAgent } from './program.ts';

const LAST = '  | npm error network request to https://registry.example.com failed with [redacted]';
const REASON = 'tools.files: the server ended with code 1';

function writeFiles(): string {
  const args = [join(SERVERS, 'broken.mjs')];
  const env = { SHOP_KEY: `\${SHOP_KEY}` };
  const files = { name: 'files', type: 'mcp', transport: 'stdio', command: process.execPath, args, env };
  return writeAgent({ tools: [files] }, { '.env': 'SHOP_KEY=hunter22\n' });
}

/** Checks the report: the reason, and the end of the server's output. */
function expectReport(text: string): void {
  expect(text).toContain(REASON);
  expect(text).toContain(`  | step 20\n${LAST}\n`);
  expect(text).not.toMatch(/step 10\b|hunter22/);
}

describe('a server that does not start', () => {
  it('has its last lines shown by check', async () => {
    const { ended, stderr } = startProgram(writeFiles(), ['check', 'agent.yaml', '--start']);
    await ended;
    expectReport(stderr());
  });

  it('has them shown by run, with the path of the log', async () => {
    const folder = writeFiles();
    const { ended, stderr } = startProgram(folder, ['run', 'agent.yaml', 'list the files in my folder'], '');
    await ended;
    expectReport(stderr());
    expect(stderr()).toContain(`${REASON} (log: ${join(folder, '.holodeck/holodeck.log')})`);
  });

  it('has them shown once by chat', async () => {
    const { ended, stderr } = startProgram(writeFiles(), ['chat', 'agent.yaml'], 'hello\nhello again\n');
    await ended;
    expectReport(stderr());
    expect(stderr().split(REASON)).toHaveLength(2);
  });

  it('has them shown where serve runs, and not over HTTP', async () => {
    const port = await freePort();
    const { stdout, stderr } = startProgram(writeFiles(), ['serve', 'agent.yaml', '-p', String(port)]);
    await expect.poll(stdout).toContain('HoloDeck serves');
    const base = `http://127.0.0.1:${port}/agent/helper`;
    const headers = { 'content-type': 'application/json' };
    const answers = [
      await (await fetch(`${base}/chat`, { method: 'POST', headers, body: '{"message":"hello"}' })).text(),
      await (await fetch(`${base}/tools`)).text(),
    ];
    await expect.poll(stderr).toContain(LAST);
    expectReport(stderr());
    expect(answers.join()).not.toMatch(/npm error|registry|step 20|hunter22|holodeck\.log/);
  });

  it('has them shown when it hangs, as npx behind a proxy does', async () => {
    const faults: Fault[] = [];
    const report = (fault: Fault) => void faults.push(fault);
    const source = openScript(
      [join(SERVERS, 'broken.mjs'), 'hang'],
      { env: { SHOP_KEY: 'hunter22' } },
      { report, limits: { startMs: 2_000 } },
    );
    await source.tools(ALICE, { signal: AbortSignal.timeout(20_000) });
    await source.close();
    expect(faults.map(({ text, lines }) => [text, lines?.at(-1)])).toEqual([
      ['tools.fixture: the server did not answer in time', LAST.slice(4)],
    ]);
  });
});
