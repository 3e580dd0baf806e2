import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { COMMAND } from './command.ts';
import { type OllamaOptions, startOllama } from './fakes/ollama-server.ts';
import { temporaryFolder } from './runtime.ts';
import { openServer } from './server/server.ts';

const ROOT = join(import.meta.dirname, '..');

/** Old Nodes have check-node.test.ts, folders that cannot be written have hostile-folder.test.ts. */
async function run(args: readonly string[], input = '') {
  const data = join(temporaryFolder(), 'data');
  const env = { ...process.env, HOLODECK_DATA: data, XDG_CONFIG_HOME: data };
  const child = spawn(process.execPath, [COMMAND, ...args], { env });
  child.stdin.end(input);
  const text = { out: '', aside: '' };
  child.stdout.on('data', (piece) => (text.out += piece));
  child.stderr.on('data', (piece) => (text.aside += piece));
  const status = await new Promise((resolve) => child.on('close', resolve));
  return { status, out: text.out.trim(), aside: text.aside.trim() };
}

function writeAgent(text: string, folder = temporaryFolder()): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'agent.yaml'), text);
  return join(folder, 'agent.yaml');
}

const Text = z.string().min(1);
const Findings = z.array(
  z.discriminatedUnion('state', [
    z.strictObject({ area: Text, state: z.literal('ok'), text: Text }),
    z.strictObject({ area: Text, state: z.enum(['warning', 'problem']), text: Text, remedy: Text }),
  ]),
);

const TODO =
  'name: helper\ninstructions: Help.\ntools:\n  - { name: tasks, type: mcp, transport: builtin, server: tasks, bind: { user_id: $user.id } }\n';

describe('a first run', () => {
  it('without a key and without a terminal ends with an answer', async () => {
    expect(await run(['chat'], 'add milk\n')).toMatchObject({ status: 0, out: expect.stringContaining("'milk'") });
  });

  it('without a terminal and without input says what to start instead', async () => {
    const { status, out, aside } = await run(['chat']);
    const said = /^There is no terminal.*, or ask once: \S+ \S+main\.js run agents\/todo\/agent\.yaml "…"$/;
    expect([status, out, aside]).toEqual([0, '', expect.stringMatching(said)]);
  });

  it.each([
    ['of the checkout, reads paths from the folder in which it was typed', ROOT, ROOT, true],
    ['of another package that uses HoloDeck, reads them from the working directory', ROOT, tmpdir(), false],
    ['that started this program in another folder, reads them from the working directory', tmpdir(), ROOT, false],
  ])('by npm start %s', (_, cwd, project, isFound) => {
    const INIT_CWD = dirname(writeAgent(TODO));
    const npm = { npm_lifecycle_event: 'start', npm_package_json: join(project, 'package.json'), INIT_CWD };
    const command = [join(ROOT, 'bin/holodeck.js'), 'check', 'agent.yaml'];
    const { stdout } = spawnSync(process.execPath, command, { cwd, env: { ...process.env, ...npm }, encoding: 'utf8' });
    expect(stdout.startsWith('agent.yaml is valid: helper')).toBe(isFound);
  });

  it('with documents that are not there says so before it finds nothing', async () => {
    const file = writeAgent('name: x\ninstructions: y\nknowledge: { rules: { source: ./documents } }\n');
    const { aside } = await run(['run', file, 'Where is the car park?']);
    expect(aside).toMatch(/^warning: \S+agent\.yaml:3:31 knowledge\.rules\.source: does not exist$/);
  });

  it('with Windows line ends, in a path with spaces, ends with an answer', async () => {
    const file = writeAgent(TODO.replaceAll('\n', '\r\n'), join(temporaryFolder(), 'my first agent'));
    expect(await run(['run', file, 'add milk'])).toMatchObject({ status: 0, out: expect.stringContaining("'milk'") });
  });

  it('of a broken file ends with its line and what to do', async () => {
    const { status, aside } = await run(['chat', writeAgent('name: x\ninstuctions: y\n')]);
    expect([status, aside]).toEqual([1, expect.stringMatching(/agent\.yaml:2:1 instuctions: .*instructions/)]);
  });

  it('of a file with one wrong indent ends with one line', async () => {
    const broken = TODO.replace(
      / {2}- .*/,
      '  - name: tasks\n    type: mcp\n   transport: builtin\n    server: tasks\n    x: 1',
    );
    const { status, aside } = await run(['chat', writeAgent(broken)]);
    expect([status, aside]).toEqual([1, expect.stringMatching(/^\S+agent\.yaml:6:4: wrong indent; .*$/)]);
  });

  it('with a file in the path of the data folder names that file', async () => {
    const file = writeAgent(TODO);
    const { status, aside } = await run(['run', file, 'add milk', '--data', join(file, 'data')]);
    expect([status, aside]).toEqual([
      2,
      `${file} is a file, not a folder: choose another folder with --data, or move the file.`,
    ]);
  });

  it('without the name of the agent shows how the command is written', async () => {
    const { status, aside } = await run(['run', 'add milk']);
    expect([status, aside]).toEqual([
      1,
      expect.stringMatching(
        /missing required argument 'message'\nUsage: \S+ \S+ run \[options\] <agent.yaml> <message>$/,
      ),
    ]);
  });

  it('on a port in use ends with a command that works', async () => {
    const { port } = await openServer({ replies: [] });
    const { status, aside } = await run(['serve', '-p', String(port)]);
    expect([status, aside]).toEqual([
      2,
      expect.stringMatching(`port ${port} is in use\\. \\d+ is free: .* serve -p \\d+$`),
    ]);
  });

  it.each([
    ['0 on a healthy set-up', '', 0, { area: 'agent', state: 'ok', text: 'helper' }],
    [
      '1 after a problem',
      'colour: blue\n',
      1,
      {
        area: 'agent',
        state: 'problem',
        text: expect.stringMatching(/agent\.yaml:3:1 colour: unknown key/),
        remedy: expect.stringMatching(/^Change colour in \S+agent\.yaml:3$/),
      },
    ],
  ])('of `doctor --json` prints findings alone and ends with %s', async (_, line, code, own) => {
    const file = writeAgent(TODO.replace('tools:', `${line}tools:`));
    const { status, out } = await run(['doctor', file, '--json']);
    const found = Findings.parse(JSON.parse(out));
    expect(status).toBe(code);
    expect(found.filter(({ area }) => area === 'agent')).toEqual([own]);
    expect(found.map(({ area }) => area)).toEqual(expect.arrayContaining(['node', 'clock', 'data', 'disk', 'port']));
    expect(found.filter(({ state }) => state === 'problem')).toHaveLength(code);
  });

  it.each<[string, Partial<OllamaOptions>, object]>([
    [
      'with Ollama ends with an answer and a task',
      {
        answer: ({ messages }) =>
          messages.at(-1)?.role === 'tool'
            ? { content: 'Milk is on the list.' }
            : { calls: [{ name: 'add_task', arguments: { title: 'milk' } }] },
      },
      { status: 0, out: 'Milk is on the list.' },
    ],
    [
      'with a model of Ollama that cannot call tools says which can',
      { models: [{ name: 'qwen3:4b', capabilities: ['completion'] }] },
      {
        status: 3,
        aside: expect.stringMatching(
          /^The model .* cannot call tools.* such as qwen3 or llama3\.1 \(`ollama pull qwen3`\).*$/,
        ),
      },
    ],
    [
      'with a window that is too small says what to raise',
      { models: [{ name: 'qwen3:4b', contextTokens: 500 }] },
      {
        status: 3,
        aside: expect.stringMatching(/^The instructions.* \(500 tokens\): choose a model with a larger window.*$/),
      },
    ],
    [
      'with a model that is not there says how to get it',
      { models: [{ name: 'other' }] },
      { status: 3, aside: expect.stringContaining('`ollama pull qwen3:4b`') },
    ],
  ])('%s', async (_, options, ended) => {
    await using ollama = await startOllama({ models: [{ name: 'qwen3:4b' }], ...options });
    const file = writeAgent(`${TODO}model: { provider: ollama, name: "qwen3:4b", endpoint: "${ollama.url}" }\n`);
    expect(await run(['run', file, 'add milk'])).toMatchObject(ended);
  });
});
