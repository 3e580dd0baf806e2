import { describe, expect, it } from 'vitest';
import { createReader } from './sentences-fixture.ts';
import { listTasks, openTalk, type Said, taskTools } from './talk-fixture.ts';

const changes = (said: Pick<Said, 'calls'>) => said.calls.filter((call) => call.name !== 'list_tasks');

/** A task, and its words in the past tense. */
const TASKS = [
  ['buy milk', 'bought milk'],
  ['pay the rent', 'paid the rent'],
  ['call mom', 'called mom'],
  ['finish the report', 'finished the report'],
  ['delete old backups', 'deleted old backups'],
  ['mark the exams', 'marked the exams'],
  ['water the plants', 'watered the plants'],
] as const;
const TEMPLATES: readonly ((task: string, past: string) => string)[] = [
  (task) => `did I ${task}?`,
  (task) => `did I already ${task}`,
  (_, past) => `have I ${past}?`,
  (_, past) => `have we already ${past}`,
  (task) => `is '${task}' done?`,
  (task) => `is ${task} done`,
  (task) => `was ${task} finished?`,
  (task) => `am I done with ${task}?`,
  (task) => `do I still need to ${task}?`,
  (task) => `do I have to ${task}`,
  (task) => `should I delete ${task}?`,
  (task) => `should I mark ${task} as done?`,
  (task) => `shall I add ${task} to my list?`,
  (task) => `can you tell me if I did ${task}?`,
  (_, past) => `can you tell me if I ${past}`,
  (_, past) => `do you know whether I ${past}?`,
  (_, past) => `I wonder if I ${past}`,
  (_, past) => `I ${past}?`,
  (_, past) => `I ${past}, didn't I?`,
  (task) => `${task} is done, right?`,
  (task) => `when did I ${task}?`,
  (task) => `why is ${task} done?`,
  (task) => `how do I delete ${task}?`,
  (task) => `has anybody changed ${task} to tomorrow?`,
  (task) => `hey, so did I ${task}?`,
];

async function withTasks(...titles: string[]) {
  const talk = openTalk();
  for (const title of titles) await talk.say(`add a task called "${title}"`);
  return talk;
}

describe('a question', () => {
  it('changes nothing, whatever task it names', () => {
    const read = createReader(TASKS.map(([task]) => task));
    for (const ask of TEMPLATES)
      for (const [task, past] of TASKS)
        expect([ask(task, past), changes(read(ask(task, past)))]).toEqual([ask(task, past), []]);
  });

  it('changes nothing while an answer is expected', async () => {
    for (const opening of ['mark as done', 'delete', 'add a task']) {
      for (const ask of TEMPLATES) {
        const { say } = await withTasks('buy milk');
        await say(opening);
        expect([opening, ask('buy milk', 'bought milk'), changes(await say(ask('buy milk', 'bought milk')))]).toEqual([
          opening,
          ask('buy milk', 'bought milk'),
          [],
        ]);
      }
    }
  });

  it.each([
    ['did I buy milk?', "'buy milk' is still open."],
    ['is the milk done?', "'buy milk' is still open."],
    ['have I paid the rent?', "'pay the rent' is marked as done."],
    ['do I still need to buy milk?', "'buy milk' is still open."],
    ['should I delete the milk task?', "'buy milk' is still open."],
    ['is the report done?', `I couldn't find a task matching 'report'. Say "show my tasks" to see them.`],
    ['I did not buy milk', "'buy milk' is still open."],
    ["I haven't bought milk yet", "'buy milk' is still open."],
    ['I forgot to buy milk', "'buy milk' is still open."],
  ])('is answered from the list: %s', async (text, answer) => {
    const { say } = await withTasks('buy milk', 'pay the rent');
    await say('mark pay the rent as done');
    const said = await say(text);
    expect([said.text, changes(said)]).toEqual([answer, []]);
  });
});

describe('a polite request', () => {
  it.each([
    ['can you add call dad?', 'add_task'],
    ['could you mark buy milk as done?', 'complete_task'],
    ['would you delete buy milk?', 'delete_task'],
    ['could you please rename buy milk to buy oat milk?', 'update_task'],
    ['is milk on my list? if not, add it', 'add_task'],
    ['delete buy milk, please?', 'delete_task'],
    ['I bought milk', 'complete_task'],
  ])('is an order: %s', async (text, tool) => {
    const { say } = await withTasks('buy milk', 'do the dishes');
    expect(changes(await say(text)).map((call) => call.name)).toEqual([tool]);
  });
});

describe('never mind', () => {
  it('asks nothing if no question is open', async () => {
    const { say } = await withTasks('milk');
    await say("don't delete milk");
    const said = await say('never mind');
    expect([said.text, said.calls]).toEqual(["All right, I've left your tasks as they are.", []]);
  });
});

const ZONE = 'Europe/London';

/** The list after a conversation on Wednesday, 18 November 2026. */
async function listAfter(...turns: string[]): Promise<string[]> {
  const tools = taskTools();
  const talk = openTalk({ now: new Date('2026-11-18T10:00:00Z'), timezone: ZONE, tools });
  for (const turn of turns) await talk.say(turn);
  return (await listTasks(tools, ZONE)).map(({ title, due }) => `${title} ${due ?? '-'}`).sort();
}

describe('a time that is changed', () => {
  it.each([
    [['add flu jab on monday at 8:15', 'flu jab an hour later'], ['flu jab 2026-11-23T09:15']],
    [['add dentist on 20 January at 16:30', 'remove the time of the dentist, keep the day'], ['dentist 2027-01-20']],
    [['add tea on the thirtieth'], ['tea 2026-11-30']],
    [['add print 40 sheets', 'make that 50 sheets', 'yes'], ['print 50 sheets -']],
  ])('%s', async (turns, tasks) => {
    expect(await listAfter(...turns)).toEqual(tasks);
  });

  it('moves only the tasks of the day that was named', async () => {
    const list = ['add take out the bins tomorrow', 'add pay rent on friday'];
    expect(await listAfter(...list, 'move everything from tomorrow to Thursday week', 'yes')).toContain(
      'pay rent 2026-11-20',
    );
    expect(await listAfter(...list, "move all of tomorrow's tasks to saturday", 'yes')).toEqual([
      'pay rent 2026-11-20',
      'take out the bins 2026-11-21',
    ]);
  });
});

describe('an offer', () => {
  it('takes another time in the answer', async () => {
    const offered = [
      'add um what was it oh yes book the MOT for the second of March at eleven',
      'no sorry at half eleven',
    ];
    expect(await listAfter(...offered)).toEqual(['book the MOT 2027-03-02T11:30']);
  });
});

describe('a question about a task', () => {
  it('is settled by one yes, however the task was named before', async () => {
    expect(await listAfter('add buy milk', 'delete a task', 'the thing with the milk stuff', 'yes')).toEqual([]);
  });

  it('is no answer to another change', async () => {
    const two = ['add dentist for Mia on Tuesday at 15:55', 'add dentist for Tama on Wednesday at 4pm'];
    const moved = await listAfter(
      ...two,
      'delete the dentist',
      "and Mia's dentist has moved to friday the 27th, same time",
    );
    expect(moved).toEqual(['dentist for Mia 2026-11-27T15:55', 'dentist for Tama 2026-11-25T16:00']);
  });
});
