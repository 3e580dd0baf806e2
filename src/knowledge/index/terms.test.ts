import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { stemmer } from 'stemmer';
import { expect, it } from 'vitest';
import { toTerms } from './terms.ts';

it('stems every word of the documentation as the stemmer of SQLite does', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/guides/builtin-model.md'), 'utf8');
  const words = [...new Set(text.toLowerCase().match(/\b[a-z]{3,}\b/g))];
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE VIRTUAL TABLE t USING fts5 (x, tokenize = 'porter ascii');
    CREATE VIRTUAL TABLE v USING fts5vocab (t, instance)`);
  const add = database.prepare('INSERT INTO t (rowid, x) VALUES (?, ?)');
  for (const [row, word] of words.entries()) add.run(row + 1, word);
  const stems = new Map(
    database
      .prepare('SELECT doc, term FROM v')
      .all()
      .map(({ doc, term }) => [doc, term]),
  );
  const different = words.filter((word, row) => stemmer(word) !== stems.get(row + 1));
  database.close();
  expect(words.length).toBeGreaterThan(500);
  expect(different).toEqual([]);
});

it.each([
  ['The employees were RUNNING', ['employe', 'run']],
  ['createHandler and max_tokens', ['createhandl', 'creat', 'handler', 'max', 'token']],
  ["1,000 of the company's cafés don't", ['1000', 'compani', 'cafe']],
  ['年假 policy', ['年', '假', 'polici']],
  ['hello, how are you?', []],
])('%s', (text, terms) => {
  expect(toTerms(text)).toEqual(terms);
});
