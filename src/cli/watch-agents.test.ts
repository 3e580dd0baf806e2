import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildAgent } from '../../test/build.ts';
import { temporaryFolder } from '../../test/runtime.ts';
import { loadAgent } from '../config/load-agent.ts';
import type { Agent } from '../schema/agent.ts';
import { createFileLog, type Opened } from './open-agent.ts';
import { watchAgents } from './watch-agents.ts';

/** A watched folder with an agent of one function tool; `names` are the names that its file has, in sequence. */
function watchFolder(names: string[], code = 'a') {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-watch-'));
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  write('agent.yaml', 'a');
  write('price.ts', code);
  const tool = { name: 'price', type: 'function', file: join(folder, 'price.ts'), parameters: {} };
  const read = (name: string) => ({ ...buildAgent(), name, folder, tools: [tool] }) as unknown as Agent;
  const replaced: string[] = [];
  const said: string[] = [];
  // The cast is safe: watching needs only these parts of the program.
  const opened = {
    files: [join(folder, 'agent.yaml')],
    agents: [read('shop')],
    load: async () => read(names.shift() ?? 'shop'),
    runtime: { replaceAgent: async ({ name }: Agent) => void replaced.push(name) },
  } as unknown as Opened;
  const watching = watchAgents(opened, { notify: (text) => said.push(text.split('\n')[0] ?? '') });
  onTestFinished(() => {
    watching.close();
    rmSync(folder, { recursive: true });
  });
  return { write, replaced, said };
}

describe('watchAgents', () => {
  it('uses a changed function, and says which file it was', async () => {
    const { write, replaced, said } = watchFolder([]);
    write('price.ts', 'other');
    await expect.poll(() => replaced, { timeout: 10_000 }).toEqual(['shop']);
    expect(said).toEqual(['price.ts has changed: the next message uses it.']);
  });

  it('uses a function that was changed together with a file that was refused, once the file is good', async () => {
    const { write, replaced, said } = watchFolder(['another']);
    write('price.ts', 'other');
    write('agent.yaml', 'refused');
    await expect.poll(() => said, { timeout: 10_000 }).toEqual([expect.stringContaining('which is another agent')]);
    write('agent.yaml', 'a good one');
    await expect.poll(() => replaced, { timeout: 10_000 }).toEqual(['shop']);
  });

  it('uses a changed file of a member, which has a folder of its own', async () => {
    const folder = temporaryFolder();
    const write = (name: string, text: string) => {
      mkdirSync(join(folder, name), { recursive: true });
      writeFileSync(join(folder, name, 'agent.yaml'), text);
    };
    write('billing', 'name: b\ninstructions: Bill.\n');
    write(
      'desk',
      'name: desk\ninstructions: H.\nagents: { bill: { file: ../billing/agent.yaml } }\nsub_agents: [bill]\n',
    );
    const file = join(folder, 'desk/agent.yaml');
    const load = () => loadAgent(file, { env: {} });
    const replaced: (string | undefined)[] = [];
    const replaceAgent = async ({ members }: Agent) => void replaced.push(members?.bill?.instructions);
    // The cast is safe: watching needs only these parts of the program.
    const opened = { files: [file], agents: [await load()], load, runtime: { replaceAgent } } as unknown as Opened;
    const watching = watchAgents(opened, { notify: () => {} });
    onTestFinished(() => watching.close());
    write('billing', 'name: b\ninstructions: Bill gently.\n');
    await expect.poll(() => replaced, { timeout: 10_000 }).toEqual(['Bill gently.']);
  });

  it('says where a function cannot be parsed, from the start and after a change', async () => {
    const { write, replaced, said } = watchFolder([], 'export default () => 1 +* 2;');
    const at = (place: string) =>
      expect.stringMatching(new RegExp(`^price\\.ts:${place} tools\\.price: .* until this is corrected$`));
    await expect.poll(() => said, { timeout: 10_000 }).toEqual([at('1:25')]);
    write('price.ts', '\nexport default () => 1 +* 22;');
    const changed = 'price.ts has changed: the next message uses it.';
    await expect.poll(() => said, { timeout: 10_000 }).toEqual([at('1:25'), changed, at('2:25')]);
    expect(replaced).toEqual(['shop']);
  });
});

describe('open agent', () => {
  it('writes no secret of the settings, the environment or a header, also not inside an error with its stack', () => {
    vi.stubEnv('SHOP_TOKEN', 'line "one"\nline two of it');
    const path = join(temporaryFolder(), 'holodeck.log');
    const log = createFileLog(path, [{ name: 'model.api_key', value: 'plainpassword' }]);
    const cause = new Error(
      `401 for plainpassword with line "one"\nline two of it at ?q=${encodeURIComponent('plainpassword/')}`,
    );
    log('failed with plainpassword', {
      cause,
      headers: { authorization: 'abc', cookie: 'id=1', accept: 'text/html' },
      body: JSON.stringify({ key: 'line "one"\nline two of it' }),
      tokens: 12,
    });
    vi.unstubAllEnvs();
    const text = readFileSync(path, 'utf8');
    expect(text).not.toMatch(/plainpassword|line .{0,2}one|line two|abc|id=1/);
    expect(JSON.parse(text)).toMatchObject({
      text: 'failed with [redacted]',
      cause: expect.stringMatching(/^Error: 401 for \[redacted\] with \[redacted\] at \?q=\[redacted\]/),
      headers: { authorization: '[redacted]', cookie: '[redacted]', accept: 'text/html' },
      tokens: 12,
    });
  });
});
