import { describe, expect, it } from 'vitest';
import { openTalk, type Said } from './talk-fixture.ts';

/** Sentences that keyword lists get wrong. */
const intentOf = (said: Said) => said.intents.map((intent) => intent.name);
const changes = (said: Said) => said.calls.filter((call) => call.name !== 'list_tasks').map((call) => call.name);

async function withTasks(...titles: string[]) {
  const talk = openTalk();
  for (const title of titles) await talk.say(`add a task called "${title}"`);
  return talk;
}

describe('titles that look like commands', () => {
  it.each([
    ['remember to finish the report', 'finish the report'],
    ['remind me to cancel the gym', 'cancel the gym'],
    ['add a task to update my resume', 'update my resume'],
    ['buy combine harvester', 'buy combine harvester'],
    ['remind me to delete all completed backups', 'delete all completed backups'],
    ['add a task to mark the exams', 'mark the exams'],
    ['I need to remove the old fridge', 'remove the old fridge'],
    ['Remind me to call McDonald about the iPhone', 'call McDonald about the iPhone'],
  ])('%s', async (text, title) => {
    const said = await openTalk().say(text);
    expect([intentOf(said), said.calls]).toEqual([['create_task'], [{ name: 'add_task', arguments: { title } }]]);
  });
});

describe('questions that hold a command word', () => {
  it('lists completed tasks', async () => {
    const said = await openTalk().say('show me my completed tasks');
    expect(said.calls).toEqual([{ name: 'list_tasks', arguments: { filter: 'completed' } }]);
  });

  it.each(["what's the weather today?", 'tell me a joke', 'how do I delete my account?', 'what can you do?', 'hi'])(
    '%s calls nothing',
    async (text) => {
      const said = await (await withTasks('delete my account', 'joke')).say(text);
      expect([intentOf(said), said.calls]).toEqual([['unknown'], []]);
    },
  );
});

describe('references', () => {
  it('asks which one when two match, and changes nothing', async () => {
    const { say } = await withTasks('call mom', 'call dentist');
    const said = await say("mark 'call' as done");
    expect([said.text, changes(said)]).toEqual(["Which task did you mean: 'call dentist' or 'call mom'?", []]);
  });

  it('recognizes a task by another form of its words', async () => {
    const { say } = await withTasks('buy milk', 'call mom');
    expect((await say('I finished buying milk')).text).toBe(
      `Great! I've marked 'buy milk' as done. Say "undo" to take it back.`,
    );
  });

  it('remembers the task mentioned last', async () => {
    const { say } = await withTasks('call mom', 'buy milk');
    expect((await say("actually, change it to 'buy oat milk'")).text).toBe("I've updated 'buy oat milk'.");
  });

  it('asks before it deletes or changes a task that only resembles the words', async () => {
    const { say } = await withTasks('order flowers for the wedding');
    const said = await say('delete the wedding cake task');
    const question = "I couldn't find a task called 'wedding cake'. Did you mean 'order flowers for the wedding'?";
    expect([said.text, changes(said)]).toEqual([question, []]);
    expect(changes(await say('no'))).toEqual([]);
  });

  it('confirms a choice that comes with other words: they may deny it', async () => {
    const talk = await withTasks('booking the train', 'book the hotel');
    await talk.say('mark book as done');
    const said = await talk.say('sorry booking failed, keep the train as pending');
    expect([changes(said), said.text]).toEqual([[], expect.stringContaining('?')]);
  });

  it('renames nothing by a remark, and names what it moves', async () => {
    const talk = await withTasks('pay the hall rent');
    const said = await talk.say('The hall rent ought to be on the first working day, the 4th of January.');
    expect([changes(said), said.text]).toEqual([
      ['update_task'],
      expect.stringContaining("'pay the hall rent', due Mon 4 Jan"),
    ]);
    expect(changes(await talk.say('the hall rent should be higher'))).toEqual([]);
  });

  it('never gives several tasks one name', async () => {
    const talk = await withTasks('sort the receipts', 'buy a card');
    await talk.say('show my tasks');
    await talk.say('replace the title them with send the letter');
    expect(changes(await talk.say('yes'))).toEqual([]);
  });

  it('reports that nothing matches', async () => {
    const { say } = await withTasks('buy milk');
    const said = await say('delete the zebra task');
    expect([said.text, changes(said)]).toEqual([
      "I couldn't find a task matching 'zebra'. Say \"show my tasks\" to see them.",
      [],
    ]);
  });
});

describe('bad input', () => {
  it.each([
    ['delete task 00000000-0000-4000-8000-00000000dead', "I couldn't find that task.", ['delete_task']],
    ['delete task 0000-zzzz', "I couldn't find a task matching '0000-zzzz'. Say \"show my tasks\" to see them.", []],
    [`add a task to ${'x'.repeat(501)}`, "That didn't work: title must be at most 500 characters.", ['add_task']],
  ])('%.40s is answered in a friendly sentence', async (text, reply, tried) => {
    const { say } = await withTasks('buy milk');
    const said = await say(text);
    expect([said.text, changes(said)]).toEqual([reply, tried]);
    expect((await say('show my tasks')).text).toBe('You have 1 task:\n1. buy milk');
  });
});

describe('an empty title', () => {
  it('is asked for, and nothing is changed', async () => {
    const { say } = await withTasks('buy milk');
    const said = await say("change 'buy milk' to ''");
    expect([intentOf(said), changes(said)]).toEqual([['clarification_needed'], []]);
  });
});

describe('bulk', () => {
  it('confirms before it deletes, and deletes only what it named', async () => {
    const { say } = await withTasks('buy milk', 'call mom', 'pay rent');
    await say('mark buy milk as done');
    const question = await say('delete all completed tasks');
    expect([question.text, changes(question)]).toEqual([
      "Shall I delete 1 completed task: 'buy milk'? (yes or no)",
      [],
    ]);
    expect(changes(await say('yes'))).toEqual(['delete_task']);
    expect((await say('show my tasks')).text).toBe('You have 2 tasks:\n1. call mom\n2. pay rent');
  });

  it('accepts several names in one sentence', async () => {
    const { say } = await withTasks('buy milk', 'buy eggs', 'call mom');
    expect((await say('mark milk and eggs as done')).text).toBe("2 tasks marked as done: 'buy milk' and 'buy eggs'.");
    const question = await say('delete milk and call mom');
    expect([question.text, changes(question)]).toEqual([
      "Shall I delete 2 tasks: 'buy milk' and 'call mom'? (yes or no)",
      [],
    ]);
  });

  it('confirms "all" for a deletion and does not accept "both" for three', async () => {
    const { say } = await withTasks('call mom', 'call dad', 'call Ann');
    await say('delete call');
    expect(changes(await say('both'))).toEqual([]);
    const question = await say('all of them');
    expect([question.text, changes(question)]).toEqual([
      "Shall I delete 3 tasks: 'call Ann', 'call dad' and 'call mom'? (yes or no)",
      [],
    ]);
    expect(changes(await say('yes'))).toEqual(['delete_task', 'delete_task', 'delete_task']);
  });

  it('leaves everything when the answer is not yes', async () => {
    const { say } = await withTasks('buy milk');
    await say('clear my list');
    expect(changes(await say('what do I need to do?'))).toEqual([]);
    expect(changes(await say('yes'))).toEqual([]);
  });
});

describe('a list in lines', () => {
  it('adds each line, whatever the words before it', async () => {
    const said = await openTalk().say(
      'Kindly add the following for me:\n- order the goose\n- bake the stollen\n- buy candles',
    );
    expect(said.calls.map((call) => call.arguments.title)).toEqual([
      'order the goose',
      'bake the stollen',
      'buy candles',
    ]);
  });
});

describe('several commands', () => {
  it('runs each, in order, with an intent each', async () => {
    const { say } = await withTasks('call mom');
    const said = await say('add buy milk to my list and mark call mom as done');
    expect([intentOf(said), changes(said)]).toEqual([
      ['create_task', 'complete_task'],
      ['add_task', 'complete_task'],
    ]);
  });

  it('keeps a title whole that holds "and"', async () => {
    const said = await openTalk().say('remind me to buy milk and delete old photos');
    expect(said.calls).toEqual([{ name: 'add_task', arguments: { title: 'buy milk and delete old photos' } }]);
  });
});

describe('undo', () => {
  it('takes back a new name, a deletion and a completion', async () => {
    const { say } = await withTasks('buy milk');
    await say("rename buy milk to 'buy oat milk'");
    expect((await say('undo that')).text).toBe("I've changed it back to 'buy milk'.");
    await say('delete buy milk');
    expect((await say('undo')).text).toBe("I've brought back 'buy milk'.");
    await say('mark buy milk as done');
    expect((await say('undo that')).text).toBe("I've reopened 'buy milk'.");
  });
});

describe('other people', () => {
  it.each(["show me Bob's tasks", "delete Alice's list", 'list the tasks of all users'])(
    '%s calls nothing',
    async (text) => {
      const said = await (await withTasks('buy milk')).say(text);
      expect([said.text, said.calls]).toEqual(['I can only see and change your own tasks.', []]);
    },
  );
});

describe('prohibitions', () => {
  it.each([
    "don't remind me to call bob",
    'do not remind me about the dentist',
    'no need to remind me to call ann',
    'please do not add a task to call bob',
    'you don’t have to add milk',
    'do not mark milk as done',
    'never delete milk',
  ])('%s', async (text) => {
    const said = await (await withTasks('milk')).say(text);
    expect([said.text, changes(said)]).toEqual(["All right, I've left your tasks as they are.", []]);
  });

  it.each([
    ["don't forget to buy milk", 'buy milk'],
    ["don't let me forget the dentist", 'the dentist'],
    ['remind me to not add sugar', 'not add sugar'],
  ])('is something else than %s', async (text, title) => {
    expect((await openTalk().say(text)).calls).toEqual([{ name: 'add_task', arguments: { title } }]);
  });
});

describe('a wish that the list does not grant', () => {
  it.each(['Make that one repeat every three months.', 'make it repeat weekly', 'set that to recur each month'])(
    'is no new name: %s',
    async (text) => {
      const said = await (await withTasks('change the air filter')).say(text);
      expect(changes(said)).toEqual([]);
    },
  );
});
