import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAgent } from '../../src/config/load-agent.ts';
import { AppError } from '../../src/errors.ts';
import { defineAgent } from '../../src/library/define-agent.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { defineTool } from '../../src/tools/functions/code-tools.ts';
import { ALICE } from '../build.ts';
import { temporaryFolder } from '../runtime.ts';
import { delegateTo, scriptedTeam, send } from './team.ts';

const TASKS = '{ name: tasks, type: mcp, transport: builtin, server: tasks, bind: { user_id: $user.id } }';

/** Writes files by their names and reads `team/agent.yaml` of them. */
async function read(files: Record<string, string>) {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return readAgent('team/agent.yaml', { cwd: folder, env: { OPENAI_API_KEY: 'k' } });
}

/** The lines that `holodeck check` prints for a faulty file. */
async function problemsOf(files: Record<string, string>): Promise<string[]> {
  const error = await read(files).catch((reason: unknown) => reason);
  return error instanceof AppError ? error.message.split('\n') : [];
}

describe('the members in agent.yaml', () => {
  it('have what they name, and the model and limits of their team', async () => {
    const { agent, hints } = await read({
      'team/agent.yaml': `
name: desk
instructions: Help only with data of the user.
model: { provider: openai, name: big }
loop: { max_iterations: 4 }
tools: [${TASKS}, { name: notes, type: mcp, transport: stdio, command: notes }]
agents:
  checker: { description: Checks, instructions: { file: checker.md }, tools: [tasks], limits: { reply_chars: 900 } }
  writer: { description: Writes, instructions: Write., model: { provider: openai, name: small } }
  billing: { file: ../billing/agent.yaml }
sub_agents: [checker, writer, billing]
limits: { delegations: 5, depth: 2 }`,
      'team/checker.md': 'Check it for the user only.',
      'billing/agent.yaml': `
name: whatever
description: Bills
instructions: Bill.
server: { port: 9000 }
agents: { auditor: { description: Audits, instructions: Audit. } }
sub_agents: [auditor]`,
    });
    expect(agent).toMatchObject({ sub_agents: ['checker', 'writer', 'billing'], limits: { delegations: 5, depth: 2 } });
    const { checker, writer, billing } = agent.members ?? {};
    expect(checker).toMatchObject({
      name: 'desk/checker',
      instructions: 'Check it for the user only.',
      loop: { max_iterations: 4 },
    });
    expect(checker).toMatchObject({ model: { name: 'big', api_key: 'k' }, limits: { reply_chars: 900 } });
    expect(checker?.tools.map(({ name }) => name)).toEqual(['tasks']);
    expect(writer).toMatchObject({ name: 'desk/writer', model: { name: 'small' }, tools: [] });
    expect(billing).toMatchObject({ name: 'desk/billing', description: 'Bills', model: { name: 'big' } });
    expect(billing?.members?.auditor).toMatchObject({ name: 'desk/billing/auditor', model: { name: 'big' } });
    expect(hints.map(({ file, line, path }) => [file, line, path])).toEqual([['billing/agent.yaml', 5, 'server']]);
  });

  it('are refused with line and column', async () => {
    const problems = await problemsOf({
      'team/agent.yaml': `name: desk
instructions: Help only with data of the user.
tools: [${TASKS}]
agents:
  gone: { file: ../gone/agent.yaml }
  self: { file: agent.yaml }
  again: { file: ../again/agent.yaml }
  checker: { instructions: Check., tools: [taks] }
  writer: { instructions: Write., model: { provider: openai } }
  bound: { instructions: { role: r, tools: t, rule: [] } }
  bad name: { instructions: Help. }
  far: { a2a: "https://far.example/card.json", headers: { Authorization: Bearer abc }, url: x }
  local: { a2a: "http://169.254.169.254/card.json", headers: { "X:": "$user.id" } }
  near: { a2a: "https://near.example/card.json" }
sub_agents: [cheker, writer, writer]
handoffs: [near]`,
      'again/agent.yaml': `name: again
instructions: Help only with data of the user.
loop: { max_iterations: 0 }
agents: { up: { file: ../team/agent.yaml } }
sub_agents: [up]`,
    });
    expect(problems.map((line) => line.split(': ').slice(0, 1).join())).toEqual([
      'team/agent.yaml:5:17 agents.gone.file',
      'team/agent.yaml:6:17 agents.self.file',
      'team/agent.yaml:8:44 agents.checker.tools[0]',
      'team/agent.yaml:9:42 agents.writer.model.name',
      'team/agent.yaml:10:47 agents.bound.instructions.rule',
      'team/agent.yaml:11:3 agents."bad name"',
      'team/agent.yaml:12:74 agents.far.headers.Authorization',
      'team/agent.yaml:12:88 agents.far.url',
      'team/agent.yaml:13:17 agents.local.a2a',
      'team/agent.yaml:13:70 agents.local.headers."X:"',
      'team/agent.yaml:15:14 sub_agents[0]',
      'team/agent.yaml:15:30 sub_agents[2]',
      'team/agent.yaml:16:12 handoffs[0]',
      'again/agent.yaml:3:25 loop.max_iterations',
      'again/agent.yaml:4:23 agents.up.file',
    ]);
  });

  it('have one place each: a name that is there twice is refused', async () => {
    const twice =
      'name: d\ninstructions: H.\nagents:\n  a: { instructions: A. }\n  a: { instructions: B. }\nsub_agents: [a]';
    expect((await problemsOf({ 'team/agent.yaml': twice }))[0]).toMatch(/^team\/agent\.yaml:5:3/);
  });

  it('have names of their own, as far as hand-overs reach', async () => {
    const problems = await problemsOf({
      'team/agent.yaml': `name: desk
instructions: Help.
agents: { desk: { instructions: A. }, bills: { instructions: B. }, shop: { file: ../shop/agent.yaml } }
handoffs: [desk, bills, shop]`,
      'shop/agent.yaml': 'name: shop\ninstructions: S.\nagents: { bills: { instructions: B. } }\nhandoffs: [bills]',
    });
    expect(problems.map((line) => line.split(';')[0])).toEqual([
      'team/agent.yaml:4:12 handoffs[0]: two agents of this conversation would be called desk',
      'team/agent.yaml:4:25 handoffs[2]: two agents of this conversation would be called bills',
    ]);
  });

  it('need a rule for a tool that is bound to the user', async () => {
    const tools = `tools: [${TASKS}]`;
    const member = 'agents: { c: { instructions: { role: R., tools: T. }, tools: [tasks] } }\nsub_agents: [c]';
    const text = `name: d\ninstructions: Only work with data of the user.\n${tools}\n${member}`;
    expect((await problemsOf({ 'team/agent.yaml': text }))[0]).toContain('agents.c.instructions');
  });
});

describe('the members in code', () => {
  const price = defineTool({ name: 'price', description: 'A price', run: () => 42 });

  it('are agents of defineAgent or entries that name functions of the team', async () => {
    const clerk = await defineAgent({ name: 'x', description: 'Writes', instructions: 'lead/clerk' });
    const agent = await defineAgent({
      name: 'lead',
      instructions: 'lead',
      tools: [price],
      agents: { clerk, checker: { description: 'Checks', instructions: 'lead/checker', tools: ['price'] } },
      sub_agents: ['clerk', 'checker'],
    });
    const model = scriptedTeam({
      lead: (step) => (step === 0 ? { calls: [delegateTo('clerk', 'A'), delegateTo('checker', 'B')] } : 'Done.'),
      'lead/clerk': () => 'Written.',
      'lead/checker': (step) => (step === 0 ? { calls: [{ name: 'price' }] } : 'Checked.'),
    });
    const runtime = await createRuntime({ agents: [agent], folder: temporaryFolder(), model });
    const { result } = await send(runtime, 'Go');
    expect(result.tool_calls.map((call) => call.result)).toEqual([{ answer: 'Written.' }, { answer: 'Checked.' }]);
    const { offered } = await runtime.listTools(ALICE, 'lead/clerk', {
      signal: new AbortController().signal,
    });
    expect([...offered.keys()]).not.toContain('price');
    await runtime.stop();
  });

  it('are refused by the same rules', async () => {
    const wrong = defineAgent({ name: 'lead', instructions: 'x', agents: {}, sub_agents: ['nobody'] });
    await expect(wrong).rejects.toThrow('sub_agents[0]: no member has this name');
  });
});
