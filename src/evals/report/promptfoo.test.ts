import { describe, expect, it } from 'vitest';
import type { Agent } from '../../schema/agent.ts';
import { TestCase } from '../../schema/tests/test-case.ts';
import { toPromptfoo } from './promptfoo.ts';

const agent = { name: 'todo', server: { port: 8000 } } as Agent; // the export reads these parts only

const convert = (given: object) => {
  const { config, left } = toPromptfoo(agent, [{ ...TestCase.parse(given), name: 'one' }]);
  const [test] = config.tests as { assert: { type: string; value: string }[] }[]; // written as a list
  return { test, left };
};

/** Runs the assertion as promptfoo does: as an expression with the output and its context. */
function holds({ value }: { value: string }, tool_calls: object[]): boolean {
  const context = { providerResponse: { metadata: { tool_calls } } };
  return Boolean(new Function('output', 'context', `return ${value}`)('', context));
}

describe('toPromptfoo', () => {
  it('writes expectations of texts as assertions', () => {
    const given = { input: 'hi', expected_content: ['milk', { regex: 'due \\d' }], forbidden_content: ['secret'] };
    const { test, left } = convert({ ...given, evaluations: [{ type: 'geval', name: 'Kind', criteria: 'is kind' }] });
    expect([test, left]).toEqual([
      {
        description: 'one',
        vars: { message: 'hi' },
        assert: [
          { type: 'icontains', value: 'milk' },
          { type: 'regex', value: 'due \\d' },
          { type: 'not-icontains', value: 'secret' },
          { type: 'llm-rubric', value: 'is kind' },
        ],
      },
      [],
    ]);
  });

  it('writes expected and forbidden calls as expressions that hold for the same calls', () => {
    const args = { title: { fuzzy: 'Buy milk' }, due: '2026-03-03', note: { regex: 'a+' } };
    const given = { input: 'hi', expected_tools: [{ name: 'add', args, count: 2 }], forbidden_tools: ['delete'] };
    const [called, forbidden] = convert(given).test?.assert ?? [];
    const call = { name: 'add_task', arguments: { title: 'buy milk!', due: '2026-03-03', note: 'aa' } };
    if (!called || !forbidden) throw new Error('there are two assertions');
    expect(holds(called, [call, call])).toBe(true);
    expect(holds(called, [call])).toBe(false);
    expect(holds(called, [call, { ...call, arguments: { ...call.arguments, note: 'ab' } }])).toBe(false);
    expect(holds(forbidden, [call])).toBe(true);
    expect(holds(forbidden, [{ name: 'delete_task' }])).toBe(false);
  });

  it('names the cases and expectations that it leaves out', () => {
    expect(convert({ turns: [{ input: 'a' }, { input: 'b' }] }).left).toEqual(['the case "one"']);
    expect(convert({ input: 'a', expected_tasks: [], limits: { steps: 1 } }).left).toEqual([
      'expected_tasks',
      'limits.steps',
    ]);
  });
});
