import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pick, sweep } from '../../test/long.ts';
import { TodoIntent } from '../schema/domain.ts';
import { type Attack, changedIn, isNamedAndUndone, lostIn, playAttack } from './attack-fixture.ts';
import { countUnaskedDeletions, createReader, readSentences } from './sentences-fixture.ts';
import { listTasks, openTalk, taskTools } from './talk-fixture.ts';

const TASKS = ['buy milk', 'call mom', 'finish the report', 'the', 'a', 'delete', 'it', '1'];
const WORDS =
  'I you the my task list milk mom report please finish done mark change to call buy show what is it that and not all first 2 tomorrow "x" \' , . ? add remind me'.split(
    ' ',
  );
const DELETING =
  /delet|remov|eras|drop|cancel|discard|scrap|trash|rid|clear|wip|forget|ditch|kill|nuke|bin|purge|eliminat|dump|scratch|throw|toss|cut|axe|empt|destroy|blank|take|dismiss|strike|del|mind|need|want|off|out|go|cross|undo/i;

describe('every message', () => {
  const read = createReader(TASKS);

  it('is answered with a known intent, whatever it contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(TodoIntent.options).toContain(read(text).intent.name);
      }),
    );
  });

  it('never deletes without a word for it', () => {
    const sentence = fc
      .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 9 })
      .map((words) => words.join(' '));
    fc.assert(
      fc.property(sentence, (text) => {
        fc.pre(!DELETING.test(text));
        expect(read(text).calls.filter((call) => call.name === 'delete_task')).toEqual([]);
      }),
      { numRuns: pick(150, 2_000) },
    );
  }, 300_000);
});

const read = (file: string) =>
  readFileSync(new URL(`../../test/fixtures/builtin/${file}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#') && !line.includes(' => '));

describe('messages that order nothing of the kind', () => {
  const attacks = sweep([...read('hostile.txt'), ...read('moves.txt')], 5);
  const played: Attack[] = [];

  it('delete, rename and take away nothing', async () => {
    for (const text of attacks) played.push(await playAttack(text, ' || '));
    expect(played.filter((attack) => lostIn(attack).length > 0).map(({ text }) => text)).toEqual([]);
  }, 300_000);

  it('complete or move a task in at most one of ten', () => {
    expect(played.filter((attack) => changedIn(attack).length > 0).length / attacks.length).toBeLessThanOrEqual(0.1);
  });

  it('name what they change, and one word takes it back', () => {
    const wrong = played.filter((attack) => changedIn(attack).length > 0 && !isNamedAndUndone(attack));
    expect(wrong.map(({ text }) => text)).toEqual([]);
  });
});

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

const HELD_OUT = new URL('../../test/fixtures/builtin/sentences-heldout.tsv', import.meta.url);

/** The scores of the large sets, with their limits, are in `npm run eval -- builtin`. */
it('deletes nothing without a request', () => {
  expect(countUnaskedDeletions(readSentences(HELD_OUT))).toBe(0);
});
