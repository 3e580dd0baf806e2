import { describe, expect, it } from 'vitest';
import { openTalk, type Said } from './talk-fixture.ts';

const names = (said: Said) => said.calls.map((call) => call.name);

describe('createBuiltinModel', () => {
  it('adds, asks which one, and completes the task that the answer names', async () => {
    const { say } = openTalk();
    expect(await say('remind me to buy milk tomorrow')).toEqual({
      text: "I've added 'buy milk' to your tasks, due tomorrow.",
      intents: [
        { name: 'create_task', confidence: expect.any(Number), parameters: { title: 'buy milk', when: 'tomorrow' } },
      ],
      calls: [{ name: 'add_task', arguments: { title: 'buy milk', due_date: '2026-11-16' } }],
    });
    await say('add a task to call mom');
    await say('add a task to call dentist');
    const question = await say("mark 'call' as done");
    expect([question.text, names(question)]).toEqual([
      "Which task did you mean: 'call dentist' or 'call mom'?",
      ['list_tasks'],
    ]);
    const answer = await say('the second one');
    expect([answer.text, names(answer)]).toEqual(["Great! I've marked 'call mom' as done.", ['complete_task']]);
  });

  it('lists, renames the task mentioned last, and deletes by position', async () => {
    const { say } = openTalk();
    await say('remember to finish the report');
    await say('add buy milk');
    expect((await say("actually, change it to 'buy oat milk'")).text).toBe("I've updated 'buy oat milk'.");
    expect((await say('what are my tasks?')).text).toBe('You have 2 tasks:\n1. finish the report\n2. buy oat milk');
    expect((await say('delete the second one')).text).toBe("I've deleted 'buy oat milk'.");
  });

  it('lists its abilities when asked for something else, and calls nothing', async () => {
    const { say } = openTalk();
    const said = await say("what's the weather today?");
    expect([said.calls, said.intents.map((intent) => intent.name)]).toEqual([[], ['unknown']]);
  });
});
