import { describe, expect, it } from 'vitest';
import { startProgram, writeAgent } from '../tools/program.ts';

const TASKS = { name: 'tasks', type: 'mcp', transport: 'builtin', server: 'tasks', bind: { user_id: '$user.id' } };

async function run(folder: string, ...args: string[]) {
  const program = startProgram(folder, ['run', 'agent.yaml', ...args, '--json'], '');
  const code = await program.ended;
  const events = program
    .stdout()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  return { code, stderr: program.stderr(), id: events[0]?.conversation_id, content: events.at(-1)?.result?.content };
}

describe('holodeck run --resume', () => {
  it('continues the last conversation, or the one that it names', { timeout: 60_000 }, async () => {
    const instructions = 'Help. Only work with data of the authenticated user.';
    const folder = writeAgent({ instructions, tools: [TASKS] });
    const first = await run(folder, 'remind me to buy milk');
    const other = await run(folder, 'remind me to call Ann');
    expect(other.id).not.toBe(first.id);
    const last = await run(folder, 'mark it as done', '--resume');
    expect([last.code, last.id, last.content]).toEqual([0, other.id, expect.stringContaining('call Ann')]);
    const named = await run(folder, 'mark it as done', '--resume', first.id);
    expect([named.code, named.id, named.content]).toEqual([0, first.id, expect.stringContaining('buy milk')]);
  });

  it('ends with an error if there is no such conversation', { timeout: 60_000 }, async () => {
    const { code, stderr } = await run(writeAgent({}), 'hello', '--resume', '01K00000000000000000000000');
    expect([code, stderr]).toEqual([1, expect.stringContaining('There is no such conversation to resume')]);
  });
});
