import { describe, expect, it } from 'vitest';
import { openTalk } from '../../talk-fixture.ts';

async function say(text: string, ...before: string[]) {
  const talk = openTalk();
  for (const earlier of before) await talk.say(earlier);
  return await talk.say(text);
}

describe('a request to another assistant', () => {
  it.each([
    'change the channel to the football match',
    'what is 40 divided by 8',
    'add the new Adele song to my workout playlist',
    'how much is due on my electricity bill',
    'I need to know the score of the game',
    'cancel my hotel reservation in Vienna',
  ])('is declined without a question: %s', async (text) => {
    const { text: reply, calls } = await say(text);
    expect(reply).toMatch(/^I can only help with your tasks/);
    expect(calls.filter(({ name }) => name !== 'list_tasks')).toEqual([]);
  });

  it.each([
    'add pay my credit card bill',
    'I need to file my taxes',
    'I need to transfer 200 euros to Ben',
    'remind me to turn off the lights',
    'put "play some jazz" on my list',
    'buy a new speaker',
    'schedule a call with Peter for Wednesday',
  ])('is not heard in the topic of a title: %s', async (text) => {
    const { text: reply } = await say(text);
    expect(reply).toMatch(/^(?:I've added|Shall I add)/);
  });

  it('is not heard where one of the tasks is meant', async () => {
    const { text } = await say('cancel the reservation', 'add confirm the reservation', 'show my tasks');
    expect(text).toContain("'confirm the reservation'");
  });
});

it('answers a question about its abilities with help', async () => {
  expect((await say('what kinds of tasks can you do for me')).text).toMatch(/^I keep your task list/);
});

it('adds to the list that was opened in the same breath', async () => {
  const { calls } = await say('open my grocery list and add bananas');
  expect(calls.map(({ name, arguments: given }) => [name, given.title])).toEqual([['add_task', 'bananas']]);
});

it('hears a reminder that is asked for after its reason', async () => {
  const { calls } = await say('I have an exam on Friday at 9, please set a reminder');
  expect(calls.map(({ name, arguments: given }) => [name, given.title])).toEqual([['add_task', 'exam']]);
});
