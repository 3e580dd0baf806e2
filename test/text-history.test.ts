import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAgent } from '../src/config/load-agent.ts';
import { runAgent } from '../src/runtime/run-agent.ts';
import type { TurnResult } from '../src/schema/conversation/turn.ts';
import { ALICE } from './build.ts';
import { temporaryFolder } from './runtime.ts';

/** A caller that stores only the texts of a conversation. */
function openCaller() {
  const folder = temporaryFolder();
  return async function say(message: string, ...texts: string[]): Promise<TurnResult> {
    const agent = await loadAgent(join(import.meta.dirname, '../agents/todo/agent.yaml'));
    const history = texts.map((content, index) =>
      index % 2 === 0 ? { role: 'user' as const, content } : { role: 'assistant' as const, content },
    );
    const turn = runAgent({ agent, user: ALICE, message, history, folder });
    for (;;) {
      const next = await turn.next();
      if (next.done) return next.value;
    }
  };
}

describe('a history of texts alone', () => {
  it('resolves "it", and the found task is among the parameters of the intent', async () => {
    const say = openCaller();
    const added = await say('remind me to buy milk');
    await say('remind me to buy milk and eggs');
    const texts = ['remind me to buy milk', added.content];
    const done = await say('mark it as done', ...texts);
    const task = done.tool_calls.find(({ name }) => name === 'complete_task');
    expect(task).toMatchObject({ state: 'completed', result: { title: 'buy milk', is_completed: true } });
    expect(done.intent).toMatchObject({ name: 'complete_task', parameters: { task_id: task?.arguments.task_id } });
    const deleted = await say('delete it', ...texts, 'thanks', 'You are welcome.');
    expect(deleted.tool_calls.map(({ name, state }) => [name, state])).toEqual([
      ['list_tasks', 'completed'],
      ['delete_task', 'completed'],
    ]);
  });

  it('that names several tasks leads to a question', async () => {
    const say = openCaller();
    await say('remind me to buy milk');
    await say('remind me to call mom');
    const asked = await say('delete it', 'what are my tasks?', 'You have 2 tasks: 1. buy milk 2. call mom');
    expect(asked.content).toMatch(/^Which task did you mean/);
    expect(asked.tool_calls.map(({ name }) => name)).toEqual(['list_tasks']);
  });

  it('that names no task of the user leads to a question', async () => {
    const asked = await openCaller()('complete it', 'remind me to buy milk', "I've added 'buy milk' to your tasks.");
    expect(asked.content).toBe('Which task should I mark as done?');
  });
});
