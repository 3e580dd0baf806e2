import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { temporaryFolder } from '../runtime.ts';
import { openLedger } from './ledger.ts';

const FIXTURE = join(import.meta.dirname, '../fixtures/killed-search.ts');

function write(folder: string, path: string, text: string): void {
  mkdirSync(join(folder, 'documents', path, '..'), { recursive: true });
  writeFileSync(join(folder, 'documents', path), text);
}

it('another server continues a killed turn with the found passages and the groups of its user', async () => {
  const folder = temporaryFolder();
  write(folder, 'teams/hr/pay.md', '# Pay\n\nThe salary of a crane driver is 41 000 EUR.');
  write(folder, 'teams/it/pay.md', '# Pay of IT\n\nThe salary of a crane driver in IT is 99 000 EUR.');
  const { signal } = spawnSync(process.execPath, [FIXTURE, folder], { encoding: 'utf8' });
  expect(signal).toBe('SIGKILL');

  // A search that is repeated would not find this number again.
  write(folder, 'teams/hr/pay.md', '# Pay\n\nThe salary of a crane driver is 52 000 EUR.');
  const { parts, user, request } = openLedger(folder);
  const calls = [{ name: 'search_rules', arguments: { query: 'salary of a crane driver in IT' } }];
  const model = createScriptedModel([{ calls }, 'A crane driver earns 41 000 EUR. [p1]']);
  const runtime = await createRuntime({ ...parts, model });
  onTestFinished(() => runtime.stop());
  await expect.poll(() => model.requests.length, { timeout: 20_000 }).toBe(2);

  const turn = await runtime.chat(user, request);
  let result: unknown;
  for await (const event of turn.events) if (event.type === 'turn-end') ({ result } = event);
  expect(result).toMatchObject({
    content: 'A crane driver earns 41 000 EUR. [p1]',
    tool_calls: [{ name: 'search_rules' }, { name: 'search_rules' }],
    confidence: 'high',
    sources: ['rules.documents/teams/hr/pay.md'],
  });
  expect(model.requests[0]?.messages[0]?.content).toContain('41 000');
  const seen = JSON.stringify(model.requests);
  expect([seen.includes('52 000'), seen.includes('99 000')]).toEqual([true, false]);
}, 60_000);
