import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listTasks, openTalk, type Said, taskTools } from './talk-fixture.ts';

const changes = (said: Said) =>
  said.calls
    .filter((call) => call.name !== 'list_tasks')
    .map(({ name, arguments: { task_id: _, ...args } }) => [name, args]);

async function afterSaying(...texts: string[]) {
  const talk = openTalk();
  for (const text of texts) await talk.say(text);
  return talk;
}

describe('taking a due date or a description away', () => {
  it.each([
    'remove the due date of milk',
    "delete milk's due date",
    'clear the deadline for the milk task',
    'take the due date off milk',
    'remove due date from milk',
    'milk has no due date anymore',
    'set the due date of milk to none',
    'remove its due date',
  ])('%s', async (text) => {
    const said = await (await afterSaying('remind me to buy milk tomorrow')).say(text);
    expect([said.text, changes(said)]).toEqual([
      "I've removed the due date of 'buy milk'.",
      [['update_task', { clear: ['due_date'] }]],
    ]);
  });

  it('removes a description', async () => {
    const { say } = await afterSaying('add a task called "milk"', 'add a note to milk: two bottles');
    expect((await say('remove the description of milk')).text).toBe("I've removed the description of 'milk'.");
    expect((await say('remove the description of milk')).text).toBe("'milk' has no description.");
    expect(changes(await say('remove the due date of milk'))).toEqual([]);
  });

  it('never deletes a task for the sake of its title', async () => {
    const said = await (await afterSaying('add a task called "milk"')).say('remove the title of milk');
    expect([said.text, changes(said)]).toEqual(["What should I change 'milk' to?", []]);
  });
});

describe('opening a task again', () => {
  it.each([
    'eggs is not done',
    "the eggs aren't done yet",
    'unmark eggs',
    'reopen eggs',
    'uncheck the eggs task',
    'mark eggs as not done',
    'mark eggs as undone',
    'set eggs back to open',
    "I haven't finished eggs yet",
    'reopen it',
  ])('%s', async (text) => {
    const said = await (await afterSaying('add a task called "eggs"', 'mark eggs as done')).say(text);
    expect([said.text, changes(said)]).toEqual([
      "I've reopened 'eggs'.",
      [['update_task', expect.objectContaining({ is_completed: false })]],
    ]);
  });

  it('says so when the task is open', async () => {
    const said = await (await afterSaying('add a task called "soap"')).say('soap is not done');
    expect([said.text, changes(said)]).toEqual(["'soap' is still open.", []]);
  });

  it.each(['what is not done?', "show me everything that isn't done"])('%s is a question', async (text) => {
    const said = await (await afterSaying('add a task called "soap"')).say(text);
    expect(said.intents.map((intent) => intent.name)).toEqual(['list_tasks']);
  });
});

describe('moving by some time', () => {
  const dentist = 'add a task to call the dentist on Tuesday at 10am';

  it.each([
    ['postpone dentist by a week', '2026-11-24T10:00:00+01:00'],
    ['push the dentist back two days', '2026-11-19T10:00:00+01:00'],
    ['delay the dentist by 90 minutes', '2026-11-17T11:30:00+01:00'],
    ['move the dentist a month later', '2026-12-17T10:00:00+01:00'],
    ['bring the dentist forward by a day', '2026-11-16T10:00:00+01:00'],
    ['move dentist up by one day', '2026-11-16T10:00:00+01:00'],
    ['postpone it by 3 days', '2026-11-20T10:00:00+01:00'],
    ['postpone the dentist by 5 months', '2027-04-17T10:00:00+02:00'],
    ['postpone the dentist to next week', '2026-11-16'],
  ])('%s', async (text, due_date) => {
    expect(changes(await (await afterSaying(dentist)).say(text))).toEqual([['update_task', { due_date }]]);
  });

  it('counts from today where there is no due date, and keeps a day a day', async () => {
    const { say } = await afterSaying('add a task called "milk"');
    expect(changes(await say('postpone milk by a week'))).toEqual([['update_task', { due_date: '2026-11-22' }]]);
    expect(changes(await say('postpone milk by two weeks'))).toEqual([['update_task', { due_date: '2026-12-06' }]]);
  });
});

describe('questions that a yes answers', () => {
  it.each([
    [
      'delete the wedding cake',
      "I couldn't find a task called 'wedding cake'. Did you mean 'order flowers for the wedding'?",
    ],
    [
      'rename wedding cake to bake',
      "I couldn't find a task called 'wedding cake'. Did you mean 'order flowers for the wedding'?",
    ],
    ['move the wedding cake to Friday', "Shall I move 'order flowers for the wedding' to Friday?"],
    ['postpone the wedding cake by a day', "Shall I move 'order flowers for the wedding' by a day?"],
    ['remove the due date of the wedding cake', "Shall I remove the due date of 'order flowers for the wedding'?"],
    ['reopen the wedding cake', "Shall I reopen 'order flowers for the wedding'?"],
  ])('%s', async (text, question) => {
    const { say } = await afterSaying('remind me to order flowers for the wedding tomorrow');
    const said = await say(text);
    expect([said.text, changes(said)]).toEqual([question, []]);
  });
});

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
