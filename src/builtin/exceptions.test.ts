import { describe, expect, it } from 'vitest';
import { openTalk, type Said } from './talk-fixture.ts';

const changes = (said: Said) => said.calls.filter((call) => call.name !== 'list_tasks').map((call) => call.name);

/** Milk, eggs and soap, newest first: soap, eggs, milk. */
async function withGroceries() {
  const talk = openTalk();
  for (const title of ['milk', 'eggs', 'soap']) await talk.say(`add a task called "${title}"`);
  return talk;
}

describe('all tasks except some', () => {
  it.each([
    ['delete everything except milk', "Shall I delete 2 tasks: 'eggs' and 'soap'? (yes or no)"],
    ['delete everything but eggs', "Shall I delete 2 tasks: 'milk' and 'soap'? (yes or no)"],
    ['remove all tasks apart from soap and milk', "Shall I delete 1 task: 'eggs'? (yes or no)"],
    ['clear my list, but keep the milk', "Shall I delete 2 tasks: 'eggs' and 'soap'? (yes or no)"],
    ['keep soap and delete everything else', "Shall I delete 2 tasks: 'milk' and 'eggs'? (yes or no)"],
    ['delete all of them except number 1', "Shall I delete 2 tasks: 'eggs' and 'soap'? (yes or no)"],
    ['mark everything except soap as done', "Shall I mark 2 open tasks as done: 'milk' and 'eggs'? (yes or no)"],
    ['mark all as done except soap', "Shall I mark 2 open tasks as done: 'milk' and 'eggs'? (yes or no)"],
    ['complete all but soap', "Shall I mark 2 open tasks as done: 'milk' and 'eggs'? (yes or no)"],
    ['everything is done except for eggs', "Shall I mark 2 open tasks as done: 'milk' and 'soap'? (yes or no)"],
    ["I've finished everything other than milk", "Shall I mark 2 open tasks as done: 'eggs' and 'soap'? (yes or no)"],
  ])('%s', async (text, question) => {
    const said = await (await withGroceries()).say(text);
    expect([said.text, changes(said)]).toEqual([question, []]);
  });

  it('leaves the excepted task alone after a yes', async () => {
    const { say } = await withGroceries();
    await say('delete everything except milk');
    expect((await say('yes')).text).toBe("2 tasks deleted: 'eggs' and 'soap'.");
    expect((await say('show my tasks')).text).toBe('You have 1 task:\n1. milk');
  });

  it('answers a question', async () => {
    const { say } = await withGroceries();
    await say('complete a task');
    expect((await say('all but soap')).text).toBe("Shall I mark 2 open tasks as done: 'milk' and 'eggs'? (yes or no)");
    for (const title of ['ink pen', 'ink pot', 'ink pad']) await say(`add a task called "${title}"`);
    await say('delete the ink task');
    expect((await say('all but the pot')).text).toBe("Shall I delete 2 tasks: 'ink pad' and 'ink pen'? (yes or no)");
  });

  it('does nothing when the exception cannot be found', async () => {
    const said = await (await withGroceries()).say('delete everything except the zebra');
    expect([said.text, changes(said)]).toEqual([
      "I couldn't find a task matching 'zebra', so I have left everything as it is.",
      [],
    ]);
  });

  it('keeps to the state and the name that were said', async () => {
    const { say } = await withGroceries();
    await say('mark milk and soap as done');
    expect((await say('delete all completed tasks except soap')).text).toBe(
      "Shall I delete 1 completed task: 'milk'? (yes or no)",
    );
    expect((await say('delete everything except the completed ones')).text).toBe(
      "Shall I delete 1 task: 'eggs'? (yes or no)",
    );
  });

  it('moves the others after a yes', async () => {
    const { say } = await withGroceries();
    const question = await say('move everything except milk to Friday');
    expect([question.text, changes(question)]).toEqual([
      "Shall I move 2 tasks to Friday: 'eggs' and 'soap'? (yes or no)",
      [],
    ]);
    await say('yes');
    expect((await say('show my tasks')).text).toBe(
      'You have 3 tasks:\n1. eggs (due Fri 20 Nov)\n2. soap (due Fri 20 Nov)\n3. milk',
    );
  });

  it('gives no name to several tasks', async () => {
    const { say } = await withGroceries();
    expect(changes(await say('rename everything but milk to soap'))).toEqual([]);
    expect(changes(await say('yes'))).toEqual([]);
  });
});

describe('all tasks of a day', () => {
  async function withDays() {
    const talk = openTalk();
    for (const text of ['milk tomorrow', 'eggs tomorrow', 'soap today', 'bread'])
      await talk.say(`remind me to buy ${text}`);
    return talk;
  }

  it.each([
    ['delete tasks due tomorrow', "Shall I delete 2 tasks due tomorrow: 'buy milk' and 'buy eggs'? (yes or no)"],
    ["delete tomorrow's tasks", "Shall I delete 2 tasks due tomorrow: 'buy milk' and 'buy eggs'? (yes or no)"],
    ['delete everything due tomorrow except eggs', "Shall I delete 1 task due tomorrow: 'buy milk'? (yes or no)"],
    ['mark all tasks due today as done', "Shall I mark 1 open task due today as done: 'buy soap'? (yes or no)"],
    ['delete all overdue tasks', 'You have no overdue tasks to delete.'],
    ['delete everything due on Friday', 'You have no tasks due Friday to delete.'],
  ])('%s', async (text, question) => {
    const said = await (await withDays()).say(text);
    expect([said.text, changes(said)]).toEqual([question, []]);
  });
});

describe('several positions', () => {
  it('deletes after a yes, counting by the list that was shown', async () => {
    const { say } = await withGroceries();
    await say('show my tasks');
    const question = await say('delete 1 and 2');
    expect([question.text, changes(question)]).toEqual(["Shall I delete 2 tasks: 'milk' and 'eggs'? (yes or no)", []]);
    expect(changes(await say('yes'))).toEqual(['delete_task', 'delete_task']);
  });

  it.each([
    'complete 1, 3',
    'mark tasks 1 and 3 as done',
    'complete the first and the third',
    'mark #1 and #3 as done',
  ])('%s', async (text) => {
    expect((await (await withGroceries()).say(text)).text).toBe("2 tasks marked as done: 'milk' and 'soap'.");
  });

  it('does nothing when one of them is not there', async () => {
    expect(changes(await (await withGroceries()).say('complete 1 and 9'))).toEqual([]);
  });
});
