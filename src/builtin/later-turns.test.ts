import { describe, expect, it } from 'vitest';
import { listTasks, openTalk, taskTools } from './talk-fixture.ts';

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
