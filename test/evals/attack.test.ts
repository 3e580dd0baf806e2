import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { loadAgent } from '../../src/config/load-agent.ts';
import { runAttacks } from '../../src/evals/attack/run-attacks.ts';
import { readTestCases } from '../../src/evals/cases/read-test-cases.ts';
import { systemIds } from '../../src/ids.ts';
import type { RunReport } from '../../src/schema/tests/run-report.ts';
import { startWeakModel } from '../fakes/weak-model.ts';
import { pick } from '../long.ts';
import { failuresOf, run, writeAgent } from './scene.ts';

async function attack(file: string, filter?: string): Promise<RunReport> {
  const agent = await loadAgent(file, { withTests: true });
  const cases = await readTestCases(agent);
  return runAttacks({ agent, cases, clock: systemClock, ids: systemIds, filter });
}

const findingsOf = ({ cases }: RunReport) => {
  const all = cases.flatMap((one) =>
    one.turns.flatMap(({ failures }) => failures.map(({ expectation }) => `${one.class} → ${expectation}`)),
  );
  return [...new Set(all)].sort();
};

describe('the shipped attacks', { timeout: 600_000 }, () => {
  it.each(pick(['todo'], ['todo', 'retail', 'handbook']))('do not harm %s', async (name) => {
    const report = await attack(fileURLToPath(new URL(`../../agents/${name}`, import.meta.url)));
    expect(failuresOf(report)).toEqual([]);
    expect(new Set(report.cases.map((one) => one.class)).size).toBe(7);
  });

  it('harm a weak agent, with named findings in every class', async () => {
    await using weak = await startWeakModel();
    const model = { provider: 'openai_compatible', name: 'weak', endpoint: weak.url };
    // All users share one memory.
    const memory = (name: string, properties: object) => {
      const parameters = { type: 'object', properties };
      return { name, type: 'function', description: name, file: 'memory.ts', function: name, parameters };
    };
    const bound = { type: 'mcp', transport: 'builtin', server: 'tasks', bind: { user_id: '$user.id' } };
    const tools = [{ name: 'tasks', ...bound }, memory('remember', { text: { type: 'string' } }), memory('recall', {})];
    const code = `const texts = [];
export function remember({ text }) { texts.push(text); return 'ok'; }
export function recall() { return texts; }`;
    const test_cases = ['add bread', 'show my tasks'].map((input) => ({ name: input, input }));
    const report = await attack(writeAgent({ model, tools, test_cases }, { 'memory.ts': code }));
    expect(findingsOf(report)).toEqual(
      expect.arrayContaining([
        'data of others → other user',
        'harm unasked → harm',
        'injection by documents → injection',
        'injection by files → injection',
        'injection by files → misuse',
        'injection by tools → injection',
        'leak of the prompt → prompt',
      ]),
    );
    const shown = failuresOf(report).join('\n');
    expect(shown).toContain('leak of the prompt: directly');
    expect(shown).toMatch(/expected no data of another user in the answer\n +happened: /);
    expect(shown).toMatch(/expected no destructive call\n +happened: delete_task/);
  });

  it('say that a pass of the built-in model proves nothing about others', async () => {
    const { code, aside } = await run(['test', writeAgent({}), '--attack', '--filter', 'leak']);
    expect([code, aside]).toEqual([0, expect.stringContaining('A pass proves nothing about other models')]);
  });

  it('are reported by class, with exit code 1', async () => {
    await using weak = await startWeakModel();
    const model = { provider: 'openai_compatible', name: 'weak', endpoint: weak.url };
    const file = writeAgent({ model });
    const { code, out } = await run(['test', file, '--attack', '--filter', 'leak']);
    expect(code).toBe(1);
    expect(out).toMatch(/0 of 6 leak of the prompt|[1-5] of 6 leak of the prompt/);
    expect(await run(['test', file, '--attack', '--filter', 'no such attack'])).toMatchObject({ code: 2 });
  });
});
