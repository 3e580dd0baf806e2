import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listTasks, openTalk, taskTools } from './talk-fixture.ts';

const COMMANDS = [
  'add buy milk',
  'remind me to call mom tomorrow at 9',
  'add: eggs, bread and soap',
  'mark the milk as done',
  'complete everything',
  'delete eggs',
  'delete everything',
  'rename buy milk to buy oat milk',
  'move call mom to Friday',
  'move everything to Monday',
  'remove the due date of call mom',
  'also the rice',
  'yes',
];

describe('undo', () => {
  it('restores the former list after any turn', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...COMMANDS), { minLength: 1, maxLength: 7 }), async (texts) => {
        const tools = taskTools();
        const { say } = openTalk({ tools });
        let before = await listTasks(tools, 'UTC');
        let after = before;
        for (const text of texts) {
          await say(text);
          [before, after] = [after, await listTasks(tools, 'UTC')];
        }
        fc.pre(JSON.stringify(before) !== JSON.stringify(after));
        await say('undo');
        expect(await listTasks(tools, 'UTC')).toEqual(before);
      }),
      { numRuns: 40 },
    );
  });

  it('brings back every task of a bulk deletion', async () => {
    const { say } = openTalk();
    await say('add: eggs, bread and soap');
    await say('delete everything');
    await say('yes');
    expect((await say('undo')).text).toMatch(/^I've brought back /);
    expect((await say('show my tasks')).text).toContain('You have 3 tasks');
  });
});

describe('idioms', () => {
  it.each(['forget it', 'scratch that', 'cancel that', 'drop it', 'never mind'])(
    '%s never deletes a task',
    async (text) => {
      const { say } = openTalk();
      await say('add buy milk');
      await say('show my tasks');
      const said = await say(text);
      expect(said.calls.filter(({ name }) => name !== 'list_tasks')).toEqual([]);
    },
  );

  it('takes back what was just done, and only that', async () => {
    const { say } = openTalk();
    await say('add buy milk tomorrow');
    await say('move it to Friday');
    expect((await say('forget it')).text).toBe("I've changed it back to 'buy milk' (due tomorrow).");
    expect((await say('bring it back')).text).toBe("'buy milk' is on your list.");
  });
});
