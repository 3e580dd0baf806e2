import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pick } from '../../test/long.ts';
import { TodoIntent } from '../schema/intent.ts';
import { createReader } from './understanding-fixture.ts';

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
  });
});
