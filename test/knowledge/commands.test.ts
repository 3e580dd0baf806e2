import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { examine } from '../../src/cli/commands/doctor.ts';
import { runBuild, searchKnowledge, showKnowledge } from '../../src/cli/commands/knowledge.ts';
import { temporaryFolder } from '../runtime.ts';

/** An agent with two documents, one of them unreadable; returns its file and the data folder. */
function writeAgent(): { file: string; options: { data: string } } {
  const folder = temporaryFolder();
  const file = join(folder, 'agent.yaml');
  mkdirSync(join(folder, 'handbook'));
  writeFileSync(join(folder, 'handbook/leave.md'), '# Leave\n\nEvery employee has 30 days of holidays.\n');
  writeFileSync(join(folder, 'handbook/old.txt'), Buffer.from([1, 0, 2]));
  writeFileSync(file, 'name: clerk\ninstructions: Answer.\nknowledge:\n  handbook: { source: ./handbook }\n');
  return { file, options: { data: join(folder, 'data') } };
}

async function outputOf(action: () => Promise<void>): Promise<string> {
  let text = '';
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((piece) => {
    text += piece;
    return true;
  });
  onTestFinished(() => spy.mockRestore());
  await action();
  spy.mockRestore();
  return text;
}

it('builds, lists and searches the documents of an agent, and doctor knows their state', async () => {
  const { file, options } = writeAgent();
  const knowledgeOf = async () => (await examine(file, options)).filter(({ area }) => area === 'knowledge');
  expect(await knowledgeOf()).toMatchObject([{ state: 'ok', text: 'handbook: 2 documents, read by the first start' }]);
  const unread = '  unread: handbook/old.txt is binary, not text\n';
  expect(await outputOf(() => runBuild(file, options))).toBe(
    `handbook: 2 read, 0 removed, 0 unchanged, 1 passages\n${unread}`,
  );
  expect(await outputOf(() => runBuild(file, options))).toBe(
    `handbook: 0 read, 0 removed, 2 unchanged, 1 passages\n${unread}`,
  );
  expect(await outputOf(() => showKnowledge(file, options))).toMatch(
    /^handbook: 2 documents, 1 passages, built 20.*\n {2}handbook\/leave.md: Leave, 1\n/,
  );
  expect(await outputOf(() => searchKnowledge('holidays of employees', file, options))).toBe(
    '1. Leave\n   handbook/leave.md, 0–48 (covers 100 %)\n   # Leave Every employee has 30 days of holidays.\n',
  );
  expect(await knowledgeOf()).toMatchObject([{ state: 'warning', text: expect.stringContaining('2 documents') }]);
  await expect(runBuild(file, { ...options, name: 'rules' })).rejects.toThrow('has no knowledge named rules');
}, 20_000);
