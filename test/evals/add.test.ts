import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadAgent } from '../../src/config/load-agent.ts';
import { localAccount } from '../../src/identity/local-account.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { createRuntime, type Runtime, type RuntimeOptions } from '../../src/runtime/runtime.ts';
import { buildTool } from '../build.ts';
import { failuresOf, run, testAgent, writeAgent } from './scene.ts';

const EXISTING = `# my cases
now: 2026-03-02T09:00:00Z
test_cases:
  - { name: hello, input: hi } # stays
`;

/** An agent whose local account has talked with it. */
async function talkedTo(...messages: string[]): Promise<{ file: string; id: string }> {
  return talkWith({ messages });
}

interface Talk {
  messages: string[];
  parts?: Partial<RuntimeOptions>;
  files?: Parameters<Runtime['chat']>[1]['files'];
}

async function talkWith({ messages, parts = {}, files = [] }: Talk): Promise<{ file: string; id: string }> {
  const file = writeAgent(
    { test_cases_file: 'tests.yaml' },
    { 'tests.yaml': EXISTING, '.env': 'SHOP_KEY=hunter2222\n' },
  );
  const agent = await loadAgent(file);
  const folder = join(dirname(file), '.holodeck');
  const runtime = await createRuntime({ agents: [agent], folder, ...parts });
  let id: string | undefined;
  for (const message of messages) {
    const turn = await runtime.chat(localAccount(folder), {
      agent: agent.name,
      message,
      files,
      ...(id && { conversationId: id }),
    });
    for await (const _ of turn.events);
    id = turn.conversationId;
  }
  await runtime.stop();
  return { file, id: id ?? '' };
}

describe('holodeck test add', { timeout: 120_000 }, () => {
  it('writes a conversation as a case that passes, without personal data', async () => {
    const { file, id } = await talkedTo('add mail anna@firma.de tomorrow', 'add call Anna Meier', 'what are my tasks?');
    writeFileSync(join(dirname(file), 'redact.yaml'), 'names: [Anna Meier]\n');
    const { code, out, aside } = await run(['test', 'add', id, file]);
    expect([code, out]).toEqual([0, '']);
    expect(aside).toContain('redacted: 1 × e-mail, 1 × name');
    const text = readFileSync(join(dirname(file), 'tests.yaml'), 'utf8');
    expect(text).toContain('# my cases');
    expect(text).toContain('- { name: hello, input: hi } # stays');
    expect(text).not.toMatch(/firma|Meier/);
    const added = parse(text).test_cases[1];
    expect(added).toMatchObject({
      name: 'add mail person1@example.com tomorrow',
      turns: [
        { expected_tools: [{ name: 'add_task', args: { title: 'mail person1@example.com' } }] },
        { expected_tools: [{ name: 'add_task', args: { title: 'call Person 1' } }] },
        { expected_tools: [{ name: 'list_tasks' }] },
      ],
    });
    expect(failuresOf(await testAgent(file))).toEqual([]);
  });

  it('leaves no personal data in file names, numbers, keys, the name of the case and tokens', async () => {
    const args = {
      title: 'pay hunter2222',
      description: 'DE89370400440532013000, ya29.a0AfH6SMBx1234567890',
      contact: { 'anna@firma.de': { phone: 491711234567, card: 4111111111111111, at: 1772442000000, amount: 12500 } },
      api_token: 'q8w7e6',
    };
    const tool = buildTool({ name: 'pay', inputSchema: { type: 'object' } });
    const model = createScriptedModel([{ calls: [{ name: 'pay', arguments: args }] }, 'Done.']);
    const message = `please look at this long sentence and then write to anna.meier@firma-mit-langem-namen.de`;
    const content = Buffer.from('hello');
    const { file, id } = await talkWith({
      messages: [message],
      parts: {
        model,
        sources: [
          {
            name: 'x',
            tools: async () => [tool],
            status: () => ({ state: 'ready', tools: [] }),
            close: async () => {},
          },
        ],
      },
      files: [
        {
          filename: 'Anna_Meier +49 171 1234567.txt',
          mime_type: 'text/plain',
          size: 5,
          open: () => Readable.from([content]),
        },
      ],
    });
    writeFileSync(join(dirname(file), 'redact.yaml'), 'names: [Anna Meier]\n');
    const { aside } = await run(['test', 'add', id, file]);
    const text = readFileSync(join(dirname(file), 'tests.yaml'), 'utf8');
    expect(text).not.toMatch(/[Aa]nna|[Mm]eier|firma|1711234567|41111|hunter|ya29|q8w7e6|DE89|171 1234567/);
    const [turn] = parse(text).test_cases[1].turns;
    expect(turn.files).toEqual([{ path: 'Person 1 +1 555 0101.txt', type: 'text' }]);
    expect(aside).toContain('Person 1 +1 555 0101.txt (you sent it as Anna_Meier +49 171 1234567.txt)');
    expect(turn.expected_tools[0].args).toEqual({
      title: 'pay [SHOP_KEY]',
      description: 'XX00 0000 0000 0001, KEY-1',
      contact: { 'person2@example.com': { phone: 15550102, card: 4000000000000001, at: 1772442000000, amount: 12500 } },
      api_token: 'KEY-2',
    });
  });

  it('refuses an unknown conversation and bad rules, and gives a second case another name', async () => {
    const { file, id } = await talkedTo('add milk');
    expect(await run(['test', 'add', '01M7KG98HZ27KH9S30BAX5BTZW', file])).toMatchObject({
      code: 1,
      aside: expect.stringContaining('There is no conversation'),
    });
    const rules = join(dirname(file), 'redact.yaml');
    writeFileSync(rules, 'patterns: [{ name: x, regex: "(" }]');
    expect((await run(['test', 'add', id, file])).aside).toContain('x is not a regular expression');
    writeFileSync(rules, '');
    await run(['test', 'add', id, file]);
    await run(['test', 'add', id, file]);
    const names = parse(readFileSync(join(dirname(file), 'tests.yaml'), 'utf8')).test_cases.map(
      ({ name }: { name: string }) => name,
    );
    expect(names).toEqual(['hello', 'add milk', 'add milk (2)']);
  });
});
