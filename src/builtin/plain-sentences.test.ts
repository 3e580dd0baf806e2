import { describe, expect, it } from 'vitest';
import { createSqliteTaskStore } from '../tasks/sqlite-task-store.ts';
import { createTaskTools } from '../tasks/task-tools.ts';
import { openTalk, type Said } from './talk-fixture.ts';

const intentOf = (said: Said) => said.intents.map((intent) => intent.name);
const changes = (said: Said) => said.calls.filter((call) => call.name !== 'list_tasks').map((call) => call.name);

async function afterSaying(...texts: string[]) {
  const talk = openTalk();
  for (const text of texts) await talk.say(text);
  return talk;
}

describe('a day of the month', () => {
  it.each([
    ['I have to pay rent by the 1st', { title: 'pay rent', due_date: '2026-12-01' }],
    ['remind me to pay rent on the 20th', { title: 'pay rent', due_date: '2026-11-20' }],
    ['remind me to pay rent by the 15th', { title: 'pay rent', due_date: '2026-11-15' }],
    ['add pay rent due the 1st of next month', { title: 'pay rent', due_date: '2026-12-01' }],
    ['remind me to pay rent by the 31st', { title: 'pay rent', due_date: '2026-12-31' }],
    ['remind me to watch the 2nd episode', { title: 'watch the 2nd episode' }],
    ['remind me to take the 1st of the pills', { title: 'take the 1st of the pills' }],
  ])('%s', async (text, args) => {
    const said = await openTalk().say(text);
    expect(said.calls).toEqual([{ name: 'add_task', arguments: args }]);
  });
});

describe('a task without a title', () => {
  it.each(['add task with due date 2020-01-01', 'create a task due 2020-01-01', 'add a task for 2020-01-01'])(
    '%s',
    async (text) => {
      const { say } = openTalk();
      const said = await say(text);
      expect([said.text, said.calls]).toEqual(['What should I add to your tasks?', []]);
      expect((await say('buy milk')).calls).toEqual([
        { name: 'add_task', arguments: { title: 'buy milk', due_date: '2020-01-01' } },
      ]);
    },
  );
});

describe('asking for help', () => {
  it.each(['help', '/help', 'Help!', 'what can you do', 'what can I say?', 'how does this work?', 'who are you?'])(
    '%s',
    async (text) => {
      const said = await openTalk().say(text);
      expect([intentOf(said), said.calls]).toEqual([['unknown'], []]);
      expect(said.text).toMatch(/^I keep your task list\. Here is what you can say:\n- add: /);
    },
  );
});

describe('an answer to nothing', () => {
  it.each(['yes', 'Yes please', 'no', 'ok'])('%s', async (text) => {
    const said = await (await afterSaying('add a task called "milk"')).say(text);
    expect([said.text, intentOf(said), said.calls]).toEqual([
      'There is nothing to confirm right now. Tell me what to do with your tasks, or say "help".',
      ['unknown'],
      [],
    ]);
  });
});

describe('tasks with the same title', () => {
  it('are distinguished, and chosen by number or day', async () => {
    const { say } = await afterSaying('remind me to fix the roof', 'remind me to fix the roof tomorrow');
    const question = "Which task did you mean: 1. 'fix the roof' (due tomorrow) or 2. 'fix the roof' (no due date)?";
    const said = await say('mark fix the roof as done');
    expect([said.text, changes(said)]).toEqual([question, []]);
    expect((await say('2')).text).toBe("Great! I've marked 'fix the roof' as done.");
    expect((await say('show my tasks')).text).toBe(
      'You have 2 tasks:\n1. fix the roof (due tomorrow)\n2. fix the roof (done)',
    );
    await say('delete fix the roof');
    expect(changes(await say('the one due tomorrow'))).toEqual(['delete_task']);
  });

  it('that are otherwise equal are distinguished by their age', async () => {
    const { say } = await afterSaying('remind me to fix the roof', 'remind me to fix the roof');
    expect((await say('delete fix the roof')).text).toBe(
      "Which task did you mean: 1. 'fix the roof' (the newest) or 2. 'fix the roof' (the oldest)?",
    );
    expect(changes(await say('the oldest'))).toEqual(['delete_task']);
  });

  it('are chosen by their age, whatever their due dates', async () => {
    let now = Date.parse('2026-11-15T12:00:00Z');
    const store = createSqliteTaskStore({ path: ':memory:', now: () => new Date(now++) });
    const { say } = openTalk({ tools: createTaskTools(store) });
    await say('remind me to fix the roof tomorrow');
    await say('remind me to fix the roof');
    await say('delete fix the roof');
    await say('the oldest');
    expect((await say('show my tasks')).text).toBe('You have 1 task:\n1. fix the roof');
  });

  it('are distinguished before all of them are deleted', async () => {
    const { say } = await afterSaying('remind me to fix the roof', 'remind me to fix the roof tomorrow');
    expect((await say('delete everything')).text).toBe(
      "Shall I delete 2 tasks: 1. 'fix the roof' (due tomorrow) and 2. 'fix the roof' (no due date)? (yes or no)",
    );
  });
});

describe('a change that is not said', () => {
  it('names the task that it asks about', async () => {
    const { say } = await afterSaying('add a task called "milk"', 'add a task called "eggs"');
    expect((await say('edit task 2')).text).toBe("What should I change 'eggs' to?");
    expect((await say('buy eggs')).text).toBe("I've updated 'buy eggs'.");
  });

  it('asks which task when there is none like it', async () => {
    const { say } = await afterSaying('add a task called "milk"');
    const said = await say('rename the zebra task');
    expect([said.text, intentOf(said)]).toEqual([
      "I couldn't find a task matching 'zebra'. Which task should I change?",
      ['clarification_needed'],
    ]);
    expect((await say('milk')).text).toBe("What should I change 'milk' to?");
  });
});

/** A newcomer's first conversation: messages and what the answer must show. */
const TURNS: readonly (readonly [string, RegExp])[] = [
  ['hey there', /^Hello!/],
  ['what can you actually do?', /^I keep your task list/],
  [
    "ok so I've got to drop the car at the garage on thursday morning",
    /'drop the car at the garage'.*tomorrow.*morning/,
  ],
  ['oh and pick up the dry cleaning after work tomorrow', /'pick up the dry cleaning'.*tomorrow.*after work/],
  [
    "also need to email Priya the budget numbers by friday noon, that one's urgent",
    /'email Priya the budget numbers'.*Fri 20 Nov at 12:00.*left out: that one's urgent/,
  ],
  ["what's on my plate?", /^You have 3 tasks/],
  ['actually make the garage thing friday instead', /'drop the car at the garage', due Fri 20 Nov/],
  ["what's the most important one?", /^You have 3 open tasks/],
  ['I already did the dry cleaning', /marked 'pick up the dry cleaning' as done/],
  [
    'put together a shopping list: eggs, oat milk, and a birthday card for Sam',
    /added 'eggs'.*added 'oat milk'.*added 'a birthday card for Sam'/,
  ],
  ["what's left for tomorrow?", /^Nothing is due tomorrow/],
  ['push the email to Priya back by two days', /'email Priya the budget numbers', due Sun 22 Nov at 12:00/],
  ['undo that', /changed it back to 'email Priya the budget numbers' \(due Fri 20 Nov at 12:00\)/],
  ['which ones have no date?', /^You have 3 open tasks without a date/],
  [
    'book dentist for the 3rd of december at 4:30pm and remind me the day before',
    /added 'book dentist' to your tasks, due Thu 3 Dec at 16:30\. I left out: remind me the day before/,
  ],
  [
    'rename "birthday card for Sam" to "birthday card and balloons for Sam"',
    /updated 'birthday card and balloons for Sam'/,
  ],
  ['wait, how many things did I finish today?', /^You have 1 completed task from today/],
  ['who won the world cup in 2018?', /^I can only help/],
  ['delete everything about eggs', /^Shall I delete 1 task: 'eggs'\?/],
  ['do i have anything to do next week?', /^Nothing is due next week/],
  ['can you repeat the car one every 6 months?', /^I can't repeat a task/],
  ['i bought everything on the shopping list', /^Shall I mark 6 open tasks as done: .*\(yes or no\)$/],
  ['tell me a joke', /^I can only help/],
  [
    'show me everything including the done stuff',
    /^You have 7 tasks:.*6\. birthday card and balloons for Sam 7\. pick up the dry cleaning \(due tomorrow, done\)$/,
  ],
  ["thanks, that's all, bye", /^You're welcome/],
];

it("answers a newcomer's first conversation", async () => {
  const { say } = openTalk({ now: new Date('2026-11-18T10:00:00Z'), timezone: 'Europe/London' });
  for (const [message, answer] of TURNS) expect((await say(message)).text.replaceAll('\n', ' ')).toMatch(answer);
});
