import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadAgent } from '../../src/config/load-agent.ts';
import { localAccount } from '../../src/identity/local-account.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { failuresOf, run, testAgent, writeAgent } from './scene.ts';

const EXISTING = `# my cases
now: 2026-03-02T09:00:00Z
test_cases:
  - { name: hello, input: hi } # stays
`;

/** An agent whose local account has talked with it. */
async function talkedTo(...messages: string[]): Promise<{ file: string; id: string }> {
  const file = writeAgent({ test_cases_file: 'tests.yaml' }, { 'tests.yaml': EXISTING });
  const agent = await loadAgent(file);
  const folder = join(dirname(file), '.holodeck');
  const runtime = await createRuntime({ agents: [agent], folder });
  let id: string | undefined;
  for (const message of messages) {
    const turn = await runtime.chat(localAccount(folder), {
      agent: agent.name,
      message,
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
