import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listTasks, type Tasks } from '../../scripts/eval-conversations.ts';
import { openTalk, taskTools } from './talk-fixture.ts';

const ZONE = 'Europe/London';
const CONVERSATIONS = readFileSync(new URL('../../data/builtin/hostile.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

/** The list before the last turn of a conversation, and after it. */
async function play(conversation: string): Promise<{ before: Tasks; after: Tasks }> {
  const tools = taskTools();
  const talk = openTalk({ now: new Date('2026-11-18T10:00:00Z'), timezone: ZONE, tools });
  let before: Tasks = [];
  for (const turn of conversation.split(' || ')) {
    before = await listTasks(tools, ZONE);
    await talk.say(turn);
  }
  return { before, after: await listTasks(tools, ZONE) };
}

describe('a message that orders nothing of the kind', () => {
  it.each(CONVERSATIONS)('%s', async (conversation) => {
    const { before, after } = await play(conversation);
    const left = before.filter(({ title, done }) => after.some((task) => task.title === title && task.done === done));
    expect(before.length).toBeGreaterThan(0);
    expect(left).toEqual(before);
  });
});
