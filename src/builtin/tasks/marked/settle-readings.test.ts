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
});
