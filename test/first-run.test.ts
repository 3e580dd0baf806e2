import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMAND } from './command.ts';
import { temporaryFolder } from './runtime.ts';

function run(args: readonly string[], input = '') {
  const data = join(temporaryFolder(), 'data');
  const env = { ...process.env, HOLODECK_DATA: data, XDG_CONFIG_HOME: data };
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], { env, input, encoding: 'utf8' });
  return { status, out: stdout.trim(), aside: stderr.trim() };
}

function writeAgent(text: string, folder = temporaryFolder()): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'agent.yaml'), text);
  return join(folder, 'agent.yaml');
}

const TODO =
  'name: helper\ninstructions: Help.\ntools:\n  - { name: tasks, type: mcp, transport: builtin, server: tasks, bind: { user_id: $user.id } }\n';

describe('a first run', () => {
  it('without a key and without a terminal ends with an answer', () => {
    expect(run(['chat'], 'add milk\n')).toMatchObject({ status: 0, out: expect.stringContaining("'milk'") });
  });

  it('with Windows line ends, in a path with spaces, ends with an answer', () => {
    const file = writeAgent(TODO.replaceAll('\n', '\r\n'), join(temporaryFolder(), 'my first agent'));
    expect(run(['run', file, 'add milk'])).toMatchObject({ status: 0, out: expect.stringContaining("'milk'") });
  });

  it('of a broken file ends with its line and what to do', () => {
    const { status, aside } = run(['chat', writeAgent('name: x\ninstuctions: y\n')]);
    expect([status, aside]).toEqual([1, expect.stringMatching(/agent\.yaml:2:1 instuctions: .*instructions/)]);
  });
});
