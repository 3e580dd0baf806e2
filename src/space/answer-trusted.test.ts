import { describe, expect, it } from 'vitest';
import { loadWordVectors } from '../builtin/word-vectors.ts';
import { answerTrusted, type TrustedOutcome } from './answer-trusted.ts';
import { createQuestionBook } from './match-question.ts';
import { TrustedQuestion } from './space-file.ts';
import type { SqlOutcome } from './sql-runner.ts';
import type { Vocabulary } from './vocabulary.ts';

const vectors = loadWordVectors();
const vocabulary: Vocabulary = {
  known: new Map(),
  values: new Map(),
  columns: new Set(['item', 'month']),
  topic: new Set(),
  title: new Set(),
};
const QUESTIONS = [
  trusted('Which items do we sell most?', 'item'),
  trusted('When do we sell most?', 'month'),
  trusted('Which stores sell most?', 'store'),
];
const ITEMS: SqlOutcome = { rows: { columns: ['item', 'sold'], rows: [['Tee', 9]], isCut: false } };
const KEYS = ['item', 'month', 'week', 'year', 'store', 'color', 'size', 'brand'];

function trusted(question: string, key: string): TrustedQuestion {
  const sql = `SELECT ${key}, sum(units) AS sold FROM s GROUP BY ${key} ORDER BY sold DESC`;
  return TrustedQuestion.parse({ question, sql, answer: `{${key}} leads.` });
}

/** Answers as the queries come out, one after the other. */
async function answer(text: string, ...outcomes: SqlOutcome[]): Promise<TrustedOutcome | undefined> {
  const ranked = createQuestionBook(QUESTIONS, () => vectors).rank(text, vocabulary.known);
  const query = async () => outcomes.shift() ?? failing('unavailable');
  return answerTrusted({ text, ranked, vocabulary, vectors, query });
}

function failing(failure: Extract<SqlOutcome, { failure: string }>['failure']): SqlOutcome {
  return { failure, reason: failure };
}

/** How many of the questions are run, in their order, when each gives the same rows. */
async function countQueries(text: string, keys = KEYS): Promise<number> {
  const questions = keys.map((key) => trusted(`Which ${key} do we sell most?`, key));
  const matches = createQuestionBook(questions, () => vectors).rank(text, vocabulary.known);
  const ranked = matches.sort((a, b) => questions.indexOf(a.question) - questions.indexOf(b.question));
  let count = 0;
  const query = async () => {
    count++;
    return ITEMS;
  };
  await answerTrusted({ text, ranked, vocabulary, vectors, query });
  return count;
}

describe('answerTrusted', () => {
  it.each(['timeout', 'unavailable', 'refused'] as const)(
    'gives what stands when a question looked at besides ends in %s',
    async (failure) => {
      expect(await answer('Which items do we sell most in Paris?', ITEMS, failing(failure))).toMatchObject({
        answer: { text: 'Tee leads.', unused: [{ words: 'Paris' }] },
      });
    },
  );

  it('tells of the failure where nothing stands', async () => {
    expect(await answer('Which items do we sell most?', failing('timeout'))).toEqual(failing('timeout'));
    expect(await answer('Which clients do we sell most?', ITEMS, failing('timeout'))).toEqual(failing('timeout'));
  });

  it('gives nothing once it is cancelled', async () => {
    expect(await answer('Which items do we sell most in Paris?', ITEMS, failing('cancelled'))).toEqual(
      failing('cancelled'),
    );
  });

  it('looks at few others while the nearest one only leaves a word out, and at none while it leaves nothing', async () => {
    expect(await countQueries('Which item do we sell most in Paris?')).toBe(4);
    expect(await countQueries('Which item do we sell most?')).toBe(1);
  });

  it('looks at the others until one gives what was asked for', async () => {
    expect(await countQueries('Which clients do we sell most?')).toBe(KEYS.length);
    expect(await countQueries('Which clients do we sell most?', ['item', 'month', 'client', ...KEYS.slice(2)])).toBe(3);
  });

  it.each([
    ['Who worked the most overtime hours?', 'Which employees worked the most overtime?', 'employee'],
    ['Where do we use the most energy?', 'Which offices use the most energy?', 'office'],
  ])('answers %j with %j', async (text, question, key) => {
    const ranked = createQuestionBook([trusted(question, key)], () => vectors).rank(text, vocabulary.known);
    const query = async () => ({ rows: { columns: [key, 'sold'], rows: [['North', 9]], isCut: false } });
    expect(await answerTrusted({ text, ranked, vocabulary, vectors, query })).toMatchObject({
      answer: { text: 'North leads.' },
    });
  });
});
