import { describe, expect, it } from 'vitest';
import { openTalk, type Said } from './talk-fixture.ts';

const changes = (said: Said) =>
  said.calls
    .filter(({ name }) => name !== 'list_tasks')
    .map(({ name, arguments: { task_id: _, ...args } }) => [name, args]);

async function withTasks(...tasks: string[]) {
  const talk = openTalk();
  for (const task of tasks) await talk.say(`add a task called ${task}`);
  return talk;
}

const TASKS = ['"sweep the yard"', '"ring Dr Moll"', '"ring Dr Mollet" for 20 November', '"parcel for Zoe"'];

describe('a remark about a task', () => {
  it.each([
    ['the yard is swept', [['complete_task', {}]]],
    ['the parcel is bought', [['complete_task', {}]]],
    ['Dr Mollet Monday', [['update_task', { due_date: '2026-11-16' }]]],
    ['so the yard has finally been swept', [['complete_task', {}]]],
    ['I swept the yard this morning', [['complete_task', {}]]],
    ['the yard on Friday, please', [['update_task', { due_date: '2026-11-20' }]]],
    ['Dr Moll should be on Thursday at ten', [['update_task', { due_date: '2026-11-19T10:00:00+01:00' }]]],
    [
      'Dr Moll tomorrow, the yard on Friday',
      [
        ['update_task', { due_date: '2026-11-16' }],
        ['update_task', { due_date: '2026-11-20' }],
      ],
    ],
  ])('%s', async (text, expected) => {
    expect(changes(await (await withTasks(...TASKS)).say(text))).toEqual(expected);
  });

  it.each([
    'the yard is not swept',
    'the yard was almost swept',
    'is the yard swept?',
    'the yard is big',
    'the yard or Dr Moll on Friday',
    'the neighbour swept the yard last month',
    'ring Dr Moll on Friday',
    'the cellar is swept',
  ])('changes nothing at once: %s', async (text) => {
    expect(changes(await (await withTasks(...TASKS)).say(text))).toEqual([]);
  });

  it('counts in what was just added', async () => {
    const talk = openTalk();
    await talk.say('add: fold napkins, polish spoons, chill water, cut bread');
    const first = await talk.say('the first two are for Friday');
    expect(first.text).toContain("2 tasks changed: 'fold napkins' and 'polish spoons'.");
  });

  it('keeps the month of the task for a bare day', async () => {
    const talk = await withTasks('"fetch the tree" for 19 December');
    expect(changes(await talk.say('the tree had better be on the 22nd'))).toEqual([
      ['update_task', { due_date: '2026-12-22' }],
    ]);
  });
});

describe('after a change', () => {
  it.each([
    ['sorry, at 9', [['update_task', { due_date: '2026-11-20T09:00:00+01:00' }]]],
    ['no thurs', [['update_task', { due_date: '2026-11-19T15:00:00+01:00' }]]],
    ['tomorrow, if possible', [['update_task', { due_date: '2026-11-16T15:00:00+01:00' }]]],
    ['three is too early, four', [['update_task', { due_date: '2026-11-20T16:00:00+01:00' }]]],
    ['add feed the hens, same day', [['add_task', { title: 'feed the hens', due_date: '2026-11-20' }]]],
  ])('%s', async (text, expected) => {
    const talk = await withTasks('"sweep the yard" for Friday at 3pm');
    expect(changes(await talk.say(text))).toEqual(expected);
  });

  it.each(['jk not done yet'])('opens what was not done: %s', async (text) => {
    const talk = await withTasks('"sweep the yard"');
    await talk.say('sweep the yard is done');
    expect((await talk.say(text)).text).toBe("I've reopened 'sweep the yard'.");
  });

  it('never takes an hour for a name', async () => {
    const talk = await withTasks('"sweep the yard" for Friday at 3pm');
    await talk.say('when is the yard?');
    expect(changes(await talk.say('make that nine'))).toEqual([
      ['update_task', { due_date: '2026-11-20T09:00:00+01:00' }],
    ]);
  });
});

describe('a question about a task of the conversation', () => {
  it.each(["when's the yard", 'is the yard on Friday or on Monday?'])('%s', async (text) => {
    const talk = await withTasks('"sweep the yard" for Friday');
    expect((await talk.say(text)).text).toBe("'sweep the yard' is still open, due Fri 20 Nov.");
  });

  it('says what was changed last', async () => {
    const talk = await withTasks('"sweep the yard"');
    await talk.say('delete sweep the yard');
    expect((await talk.say('what did I just delete?')).text).toBe("I last deleted: 'sweep the yard'.");
  });

  it.each(['when is the next eclipse?', 'is the moon full?', 'hi, add milk'])('is not heard in: %s', async (text) => {
    const said = await (await withTasks('"sweep the yard"')).say(text);
    expect(said.text).not.toContain('sweep the yard');
  });
});

describe('small talk', () => {
  it.each([
    ['lol ok thx', "You're welcome!"],
    ['a happy new year to you!', "You're welcome!"],
  ])('%s', async (text, reply) => {
    expect((await openTalk().say(text)).text).toBe(reply);
  });

  it.each(['my neighbour never sweeps', 'you are very patient'])('changes nothing: %s', async (text) => {
    const said = await openTalk().say(text);
    expect([said.text.startsWith("I've left your tasks as they are."), said.calls]).toEqual([true, []]);
  });
});

describe('looking back', () => {
  it('takes back with a reason behind it, and does it again', async () => {
    const talk = await withTasks('"sweep the yard"');
    await talk.say('delete sweep the yard');
    const undone = await talk.say('oh dear, undo that, the rain has stopped');
    const redone = await talk.say('no, undo the undo');
    expect([undone.text, redone.text]).toEqual([
      "I've brought back 'sweep the yard'.",
      "I've removed 'sweep the yard' again.",
    ]);
  });

  it('does nothing again where nothing was taken back', async () => {
    const said = await (await withTasks('"sweep the yard"')).say('redo');
    expect([said.text, said.calls]).toEqual(['There is nothing to do again: nothing was taken back.', []]);
  });

  it('brings back only what was deleted', async () => {
    const talk = await withTasks('"sweep the yard"', '"ring Dr Moll"');
    await talk.say('delete ring Dr Moll');
    const other = await talk.say('bring the yard back, I need it');
    const meant = await talk.say('bring Dr Moll back, I do need him');
    expect([changes(other), meant.text]).toEqual([[], "I've brought back 'ring Dr Moll'."]);
  });
});
