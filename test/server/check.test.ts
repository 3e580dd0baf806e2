import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMAND } from '../command.ts';
import { temporaryFolder } from '../runtime.ts';

function check(yaml: string, files: Record<string, string> = {}, flags: string[] = []) {
  return checkWhole(`name: one\ninstructions: Help.\n${yaml}`, files, flags);
}

function checkWhole(yaml: string, files: Record<string, string> = {}, flags: string[] = []) {
  const cwd = temporaryFolder();
  const all = { 'agent.yaml': yaml, ...files };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(cwd, name), text);
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, 'check', 'agent.yaml', ...flags], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', SECRET: 'short' },
  });
  return { status, stdout, stderr };
}

const GOOD = 'agent.yaml is valid: one, model builtin, tools none\n';
const SPACE = 'name: sales\ntitle: sales\ndescription: sales\ntables: { sales: { file: sales.csv } }\n';
const SPACE_TOOL = 'tools:\n  - { name: sales, type: mcp, transport: builtin, server: space, file: space.yaml }\n';
const auth = (key: string) => `server: { auth: { jwt: { ${key}, issuer: me, audience: you } } }\n`;

describe('holodeck check', () => {
  it('refuses a database that is no PostgreSQL, without its value', () => {
    const { status, stdout, stderr } = check('database: mysql://db.example.com/holodeck\n');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('agent.yaml:3:11 database: must be postgres://');
  });

  it('refuses a response format that no answer can be checked with', () => {
    const { status, stdout, stderr } = check(
      `model: { provider: openai, name: gpt-5, api_key: "\${SECRET}" }\nresponse_format: { type: nothing }\n`,
    );
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('agent.yaml:4:18 response_format: is no usable JSON Schema');
  });

  it('warns of a secret that can be guessed as serve does', () => {
    const stderr = 'warning: server.auth.jwt.secret is shorter than 32 bytes and can be guessed\n';
    expect(check(auth(`secret: "\${SECRET}"`))).toEqual({ status: 0, stdout: GOOD, stderr });
  });

  it('refuses keys that serve cannot read', () => {
    const { status, stderr } = check(auth('jwks_file: keys.json'), { 'keys.json': '[]' });
    expect(status).toBe(1);
    expect(stderr).toContain('does not hold a JSON Web Key Set');
  });

  it('gives a hint where no guideline asks for brevity, and finds the file good', () => {
    const agent = (line: string) =>
      `name: one\ninstructions:\n  role: Poet\n  guidelines:\n    - ${line}\n  tools: None\n`;
    const { status, stdout, stderr } = checkWhole(agent('Take your time'));
    expect({ status, stdout }).toEqual({ status: 0, stdout: GOOD });
    expect(stderr).toMatch(/^hint: agent\.yaml:5:5 instructions\.guidelines: no line asks for brevity; .+\n$/);
    expect(checkWhole(agent('Keep it under 200 words'))).toEqual({ status: 0, stdout: GOOD, stderr: '' });
  });

  it('refuses shell syntax and link-local addresses before it starts anything', () => {
    const tools = [
      'name: a, type: mcp, transport: stdio, command: "touch started; node x.js"',
      'name: b, type: mcp, transport: http, url: "http://169.254.169.254/latest/meta-data"',
    ];
    const { status, stdout, stderr } = check(`tools:\n${tools.map((tool) => `  - { ${tool} }\n`).join('')}`);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('tools[0].command: contains shell syntax');
    expect(stderr).toContain('tools[1].url: is a link-local address');
  });

  it('warns of variables that load code into a server', () => {
    const env = '{ LD_PRELOAD: ./x.so, NODE_OPTIONS: "--require ./x.js", HOME: /tmp }';
    const { stderr } = check(
      `tools:\n  - { name: a, type: mcp, transport: stdio, command: no-such-program, env: ${env} }\n`,
    );
    const warned = stderr.split('\n').filter((line) => line.includes('loads other code'));
    expect(warned.map((line) => line.split(' ')[2])).toEqual([
      'tools[0].env.LD_PRELOAD:',
      'tools[0].env.NODE_OPTIONS:',
    ]);
  });

  it.each([
    ['is not YAML', 'name: [', /space\.yaml:1:\d+/],
    ['holds nothing', '', /space\.yaml/],
    ['names a file that is not there', SPACE, /tables\.sales\.file: there is no such file/],
    ['has an unknown key', `${SPACE}colour: red\n`, /space\.yaml:\d+:1 colour: unknown key/],
  ])('refuses a space file that %s', (_, text, place) => {
    const { status, stdout, stderr } = check(SPACE_TOOL, { 'space.yaml': text });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(place);
  });

  it('finds a program that is not there, by PATH or by path', () => {
    const server = (name: string, command: string) =>
      `  - { name: ${name}, type: mcp, transport: stdio, command: ${command} }\n`;
    const { status, stderr } = check(
      `tools:\n${server('a', 'no-such-program')}${server('b', './server.sh')}${server('c', 'node')}`,
    );
    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([
      'agent.yaml:4:54 tools[0].command: no folder of PATH has this program; install it or correct the name',
      "agent.yaml:5:54 tools[1].command: there is no such program relative to the agent's folder",
    ]);
  });

  const TASKS = 'tools: [{ name: tasks, type: mcp, transport: builtin, server: tasks, bind: { user_id: $user.id } }]\n';
  const HINT =
    'hint: agent.yaml:2:15 instructions: a tool is bound to the user; add a sentence with both "user" and "only"';

  it('gives a hint where plain instructions do not keep users apart in so many words', () => {
    const { status, stdout, stderr } = check(TASKS);
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'agent.yaml is valid: one, model builtin, tools tasks\n' });
    expect(stderr.startsWith(HINT)).toBe(true);
  });

  it('refuses task tools that do not know their user', () => {
    const { status, stderr } = check('tools: [{ name: tasks, type: mcp, transport: builtin, server: tasks }]\n');
    expect([status, stderr]).toEqual([
      1,
      'agent.yaml:3:9 tools[0].bind.user_id: is missing; task tools act for their user: write bind: { user_id: $user.id }\n',
    ]);
  });

  it('finds an intent whose tool is misspelt, and doubts one that a page has to bring', () => {
    const wrong = check(`${TASKS}intents: { add: { tool: add_taks } }\n`);
    expect(wrong).toMatchObject({ status: 1, stdout: '' });
    expect(wrong.stderr).toContain('agent.yaml:4:25 intents.add.tool: no tool has this name, did you mean add_task?\n');
    const page = check(`${TASKS}intents: { colour: { tool: set_theme } }\n`);
    const doubt = 'no tool of this file has this name; a page must provide it';
    expect(page.status).toBe(0);
    expect(page.stderr).toContain(`warning: agent.yaml:4:28 intents.colour.tool: ${doubt}\n`);
  });

  const DOMAIN = (tool: string) =>
    `domains: [{ name: stock, display_name: Stock, description: Stock, mcp_tools: [${tool}] }]\n`;

  it('finds a domain whose tool does not exist, and reports what it cannot check', () => {
    const { status, stderr } = check(`${TASKS}${DOMAIN('list_tsks')}`);
    expect(status).toBe(1);
    expect(stderr).toContain(
      'agent.yaml:4:79 domains[0].mcp_tools[0]: no tool has this name, did you mean list_tasks?\n',
    );
    const remote = 'tools: [{ name: far, type: mcp, transport: http, url: "http://127.0.0.1:9/mcp" }]\n';
    expect(check(`${remote}${DOMAIN('query')}`, {}, ['--start'])).toMatchObject({
      status: 0,
      stdout: 'agent.yaml is valid, but far did not start: one, model builtin, tools far\n',
      stderr: expect.stringMatching(
        /\| 127\.0\.0\.1:9: bad port\nwarning: agent\.yaml:4:79 domains\[0\]\.mcp_tools\[0\]: no known tool has this name; a server that did not start may have it: far\n$/,
      ),
    });
  });

  it('finds a missing export without running the file', () => {
    const tool = 'tools: [{ name: price, type: function, file: price.ts, function: price, description: A }]\n';
    const { status, stderr } = check(tool, { 'price.ts': 'export default () => 1; process.exit(0);' });
    expect(status).toBe(1);
    expect(stderr).toContain('price.ts tools.price: it has no export named price.');
  });
});
