import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tool } from '../tools/tool.ts';
import { listTasks, openTalk, taskTools } from './talk-fixture.ts';

const USER = '00000000-0000-4000-8000-00000000000a';
/** Titles that are easily taken for each other: parts, names one letter apart, commands in titles. */
const VERBS = ['call', 'email', 'pay', 'delete', 'reply to'];
const THINGS = [
  'Anna',
  'Hanna',
  'Maria',
  'Marta',
  'Anna about the rent',
  'the rent',
  'the old rent',
  'Maria on Friday',
];
const TITLES = VERBS.flatMap((verb) => THINGS.map((thing) => `${verb} ${thing}`));
const WORDINGS = [
  (title: string) => `delete ${title}`,
  (title: string) => `please remove ${title} from my list`,
  (title: string) => `mark ${title} as done`,
  (title: string) => `${title} is done`,
  (title: string) => `I finished ${title}, finally`,
  (title: string) => `rename ${title} to buy stamps`,
  (title: string) => `change ${title} to water the plants`,
  (title: string) => `move ${title} to tomorrow`,
  (title: string) => `${title} -> tomorrow`,
  (title: string) => `make ${title} 5`,
  (title: string) => `make two tasks: ${title} and buy stamps`,
  (title: string) => `did I finish ${title}?`,
  (title: string) => `should I delete ${title}?`,
];
const IDIOMS = [
  'forget it',
  'drop it',
  'delete it',
  'mark it as done',
  'rename it to buy stamps',
  'delete number 9',
  'delete task -1',
  'undo',
];

async function seed(tools: readonly Tool[], titles: readonly string[]): Promise<void> {
  const create = tools.find(({ name }) => name === 'add_task');
  if (!create) throw new Error('no tool adds a task');
  for (const [index, title] of titles.entries())
    await create.run(
      { user_id: USER, title },
      // The tool reads only these parts of its context.
      {
        user: { id: USER },
        conversationId: 'before',
        callId: `seed-${index}`,
        turnId: `seed-${index}`,
        signal: new AbortController().signal,
      } as never,
    );
}

async function changedBy(titles: readonly string[], text: string): Promise<string[]> {
  const tools = taskTools();
  await seed(tools, titles);
  const before = await listTasks(tools, 'UTC');
  await openTalk({ tools, timezone: 'UTC' }).say(text);
  const after = new Set((await listTasks(tools, 'UTC')).map((task) => JSON.stringify(task)));
  return before.filter((task) => !after.has(JSON.stringify(task))).map(({ title }) => title);
}

describe('a list of similar titles', () => {
  it('changes only the task that was named in full', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom(...TITLES), { minLength: 2, maxLength: 6 }),
        fc.constantFrom(...TITLES),
        fc.constantFrom(...WORDINGS),
        async (titles, said, word) => {
          const changed = await changedBy(titles, word(said));
          expect(changed.filter((title) => title !== said)).toEqual([]);
        },
      ),
      { numRuns: 120, seed: 18 },
    );
  });

  it.each(IDIOMS)('is left alone by "%s" where nothing was said before', async (text) => {
    expect(await changedBy(['call Anna', 'call Hanna', 'pay the rent'], text)).toEqual([]);
  });
});
