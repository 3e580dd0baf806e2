import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listTasks, type Tasks } from '../../scripts/eval-conversations.ts';
import { openTalk, taskTools } from './talk-fixture.ts';

const ZONE = 'Europe/London';
const read = (file: string) =>
  readFileSync(new URL(`../../data/builtin/${file}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#') && !line.includes(' => '));

interface Played {
  before: Tasks;
  after: Tasks;
  undone: Tasks;
  reply: string;
}

/** The list before the last turn of a conversation, after it, and after an undo. */
async function play(conversation: string): Promise<Played> {
  const tools = taskTools();
  const talk = openTalk({ now: new Date('2026-11-18T10:00:00Z'), timezone: ZONE, tools });
  let [before, reply]: [Tasks, string] = [[], ''];
  for (const turn of conversation.split(' || ')) {
    before = await listTasks(tools, ZONE);
    reply = (await talk.say(turn)).text;
  }
  const after = await listTasks(tools, ZONE);
  await talk.say('undo');
  return { before, after, undone: await listTasks(tools, ZONE), reply };
}

const same = (list: Tasks) => JSON.stringify(list.toSorted((a, b) => a.title.localeCompare(b.title)));
/** Tasks whose state or day has changed under the same title. */
const changed = ({ before, after }: Played) =>
  before.filter((task) =>
    after.some(({ title, done, due }) => title === task.title && (done !== task.done || due !== task.due)),
  );

describe('messages that order nothing of the kind', () => {
  const attacks = [...read('hostile.txt'), ...read('moves.txt')];
  const played: (Played & { text: string })[] = [];

  it('delete, rename and take away nothing', async () => {
    for (const text of attacks) played.push({ text, ...(await play(text)) });
    const lost = played.filter(
      ({ before, after }) => !before.every(({ title }) => after.some((task) => task.title === title)),
    );
    expect(lost.map(({ text }) => text)).toEqual([]);
  }, 300_000);

  it('complete or move a task in at most one of ten', () => {
    expect(played.filter((one) => changed(one).length > 0).length / attacks.length).toBeLessThanOrEqual(0.1);
  });

  it('name what they change, and one word takes it back', () => {
    const wrong = played.filter(
      (one) =>
        changed(one).length > 0 &&
        (same(one.undone) !== same(one.before) || !changed(one).every(({ title }) => one.reply.includes(title))),
    );
    expect(wrong.map(({ text }) => text)).toEqual([]);
  });
});
