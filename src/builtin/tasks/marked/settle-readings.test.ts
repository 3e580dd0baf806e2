import { describe, expect, it } from 'vitest';
import { openTalk } from '../../talk-fixture.ts';

async function sayAll(...texts: string[]) {
  const talk = openTalk();
  const calls: string[][] = [];
  for (const text of texts) calls.push((await talk.say(text)).calls.map(({ name }) => name));
  return calls.map((names) => names.filter((name) => name !== 'list_tasks'));
}

describe('the reading that counts', () => {
  it('is made after a yes to a guess, and not asked again', async () => {
    const talk = openTalk();
    await talk.say('add call Will');
    const asked = await talk.say('talked to Will so thats done');
    const calls = asked.text.endsWith('?') ? (await talk.say('yes')).calls : asked.calls;
    expect(calls.map(({ name }) => name)).toContain('complete_task');
  });

  it.each(['ok then, remove -1', 'should I delete milk?', 'never delete milk', 'if it rains I will delete milk'])(
    'changes nothing at once: %s',
    async (text) => {
      expect((await sayAll('add milk', 'add eggs', 'show my tasks', text)).at(-1)).toEqual([]);
    },
  );

  it('is several tasks where a list was announced, and one errand with several things otherwise', async () => {
    const listed = await sayAll('Put three things on for tomorrow: eggs, flour and sultanas');
    const bought = await sayAll('add a task to buy eggs, milk and flour');
    expect([listed[0]?.length, bought[0]?.length]).toEqual([3, 1]);
  });

  it('never chooses a task by the day of another request', async () => {
    const talk = openTalk();
    await talk.say('add "change the bandage" for today at 18:00');
    await talk.say('add "change the bandage" for tomorrow at 18:00');
    await talk.say('delete change the bandage');
    const said = await talk.say('Then add it for me: confirm with the nurse, today at 17:00');
    expect(said.calls.map(({ name }) => name)).not.toContain('delete_task');
  });

  it('is a change of its own, whatever was asked before', async () => {
    const talk = openTalk();
    await talk.say('add "vacuum the stairs"');
    await talk.say('rename the stair carpet to "review the lease"');
    const said = await talk.say('Change the title of "vacuum the stairs" to "bake a cake".');
    expect(said.calls.filter(({ name }) => name === 'update_task')).toEqual([
      expect.objectContaining({ arguments: expect.objectContaining({ title: 'bake a cake' }) }),
    ]);
  });

  it('is no yes where an order begins like one', async () => {
    const talk = openTalk();
    await talk.say('add order flowers for the wedding');
    await talk.say('mark the wedding cake as done');
    const said = await talk.say('correct the title to "call the florist"');
    expect(said.calls.map(({ name }) => name)).not.toContain('complete_task');
  });

  it('is offered where the errand may replace the one before', async () => {
    const talk = openTalk();
    await talk.say('add order new curtains');
    const said = await talk.say('sorry, buy dog food');
    expect([said.text, said.calls]).toEqual([
      "I'm not sure what you mean. Shall I rename 'order new curtains' to 'buy dog food' or add 'buy dog food'?",
      [],
    ]);
    expect((await talk.say('a')).calls.map(({ name }) => name)).toEqual(['update_task']);
  });
});
