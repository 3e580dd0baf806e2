import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createEncoder, readTables } from './encoder.ts';
import { createReader, flagKnown, readFiles } from './reader.ts';
import { createReaderThread } from './reader-thread.ts';
import { splitWords } from './word-pieces.ts';

interface Golden {
  ids: number[];
  known: number[];
  labels: number[];
  roles: number[][];
}

const files = readFiles();
const golden: Golden[] = JSON.parse(readFileSync(new URL('fixtures/golden.json', import.meta.url), 'utf8'));

describe('the encoder', () => {
  it('gives the scores of the training program', () => {
    const encoder = createEncoder(readTables(files.tables, files.index), files.kernel);
    const gaps = golden.flatMap(({ ids, known, labels, roles }) => {
      const scores = encoder.run(ids, known);
      const rows = [scores.labels, ...scores.roles];
      return [labels, ...roles].flatMap((row, at) =>
        row.map((value, place) => Math.abs(value - (rows[at]?.[place] ?? 0))),
      );
    });
    expect(Math.max(...gaps)).toBeLessThan(1e-3);
  });

  it('is at most 15 MB', () => {
    expect(files.tables.length).toBeLessThanOrEqual(15_000_000);
  });
});

describe('the reader', () => {
  it('marks titles, times and the names of tasks', () => {
    const reading = createReader(files).read('rent is paid. also remind me to ring the vet on Friday', [
      'pay the rent',
    ]);
    expect(reading?.marks.map(({ kind, text }) => [kind, text])).toEqual([
      ['done', 'rent'],
      ['add', 'ring the vet'],
      ['when', 'on Friday'],
    ]);
    expect([reading?.labels.add, reading?.labels.done].map((chance) => (chance ?? 0) > 0.8)).toEqual([true, true]);
  });

  it('does not read a message that is longer than it can see', () => {
    expect(createReader(files).read('buy milk and '.repeat(60), [])).toBeUndefined();
  });

  it('knows the words of tasks, inflected or misspelt', () => {
    expect(flagKnown(['dentits', 'called', 'the', 'moon'], ['call the dentist'])).toEqual([1, 1, 0, 0]);
  });
});

describe('the thread of the reader', () => {
  it('gives the same reading as the reader, each time', async () => {
    const thread = createReaderThread();
    const read = () => thread.read('milk is bought', ['buy milk']);
    const expected = createReader(files).read('milk is bought', ['buy milk']);
    expect([await read(), await read()]).toEqual([expected, expected]);
  });
});

describe('splitWords', () => {
  it('keeps times, hyphens and apostrophes inside a word and cuts marks off', () => {
    const words = splitWords(`add "Mum's to-do" at 4:30pm, ok?`).map(({ text }) => text);
    expect(words).toEqual(['add', '"', "Mum's", 'to-do', '"', 'at', '4:30pm', ',', 'ok', '?']);
  });

  it('returns nothing for an empty text', () => {
    expect(splitWords('  ')).toEqual([]);
  });
});
