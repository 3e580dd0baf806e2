import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { splitWords } from '../../src/builtin/reader/word-pieces.ts';
import { readSentences } from '../../src/builtin/sentences-fixture.ts';
import { type Desk, openDesk } from '../../test/data/ask-retail.ts';
import { openHandbook, readHandbookQuestions } from '../scripts/ask-handbook.ts';
import { judgeAll, OUTSIDE_SETS, readConversations, readQuestions } from '../scripts/data/outside.ts';
import { findWrongArguments } from '../scripts/eval-tools.ts';
import { findData, hasData } from '../scripts/find-data.ts';
import { generate, readTemplates } from '../scripts/learned/make-set.ts';
import { LEARNED_INTENTS, WORD_TAGS } from '../scripts/learned/template-labels.ts';
import { simulatePeople } from '../scripts/simulate-people.ts';

describe.skipIf(!hasData('intents/train.jsonl'))('the templates of the training set', () => {
  const templates = readTemplates();
  let examples: ReturnType<typeof generate>;

  // A skipped block is still run to collect its tests, so only a hook may read the file.
  beforeAll(() => {
    examples = generate(1, 2);
  });

  it('has templates for every intent, in several voices', () => {
    expect(new Set(templates.map(({ intent }) => intent))).toEqual(new Set(LEARNED_INTENTS));
    for (const intent of LEARNED_INTENTS) {
      const voices = new Set(templates.filter((template) => template.intent === intent).map(({ file }) => file));
      expect([intent, voices.size >= 5]).toEqual([intent, true]);
    }
  });

  it('is the same for the same seed, and differs for another', () => {
    expect(generate(1, 2)).toEqual(examples);
    expect(generate(2, 2)).not.toEqual(examples);
  });

  it('has a known role for every word, and each role in some sentence', () => {
    for (const { text, tags } of examples) expect(tags?.length).toBe(splitWords(text).length);
    expect(new Set(examples.flatMap(({ tags }) => tags ?? []))).toEqual(new Set(WORD_TAGS));
  });

  it('holds no sentence of the held-out file', () => {
    const heldOut = new Set(readSentences(findData('sentences-heldout.tsv')).map(({ text }) => text.toLowerCase()));
    const lines = templates.map(({ text }) => text.toLowerCase()).filter((text) => / .* /.test(text));
    expect(lines.filter((text) => heldOut.has(text))).toEqual([]);
  });
});

describe('answers', () => {
  /** The short form of `npm run eval -- data`: the first three sets. */
  let desk: Desk;

  beforeAll(async () => {
    desk = await openDesk();
  }, 120_000);
  afterAll(() => desk.close());

  describe('answers over the retail data', { timeout: 240_000 }, () => {
    it.each([
      [OUTSIDE_SETS[0], 0.7],
      [OUTSIDE_SETS[1], 0.5],
      [OUTSIDE_SETS[2], 0.25],
    ] as const)('are never wrong with high confidence for the questions of %s', async (set, least) => {
      const singles = readQuestions(set).map((question) => [question]);
      const judged = await judgeAll(desk, [...singles, ...readConversations(set)]);
      const wrong = judged.filter(({ verdict }) => verdict === 'wrong, high');
      expect(wrong.map(({ question, answer }) => `${question.ask} → ${answer.content}`)).toEqual([]);
      const answerable = judged.filter(({ question }) => question.kind === 'answer');
      const right = answerable.filter(({ verdict }) => verdict.startsWith('right'));
      expect(right.length / answerable.length).toBeGreaterThan(least);
    });
  });
});

describe('quotations from the handbook', () => {
  it('never have high confidence for a question that the documents do not answer', async () => {
    const desk = await openHandbook();
    const rows = [...readHandbookQuestions().values()].flat().filter(({ kind }) => kind !== 'answerable');
    const wrong: string[] = [];
    for (const { question } of rows) if ((await desk.ask(question)).isHigh) wrong.push(question);
    await desk.close();
    expect([rows.length, wrong]).toEqual([230, []]);
  }, 240_000);
});

describe('people', () => {
  it('simulated people lose nothing', async () => {
    const turns = await simulatePeople({ count: 16, seed: 7 });
    expect(turns.filter(({ verdict }) => verdict === 'destructive')).toEqual([]);
  });
});

describe('findWrongArguments', () => {
  const accepted = { city: ['New York, NY'], days: [3, ''], options: [{ unit: ['metric', ''] }] };

  it('compares texts without case and marks, and allows what may be absent', () => {
    expect(findWrongArguments({ city: 'new york NY', options: {} }, accepted)).toEqual([]);
  });

  it('names wrong, missing and additional arguments', () => {
    expect(findWrongArguments({ city: 'Boston', days: 2, more: 1 }, accepted)).toEqual([
      'more',
      'city',
      'days',
      'options',
    ]);
    expect(findWrongArguments({ city: 'New York, NY', options: {} }, accepted, ['days'])).toEqual(['days']);
  });
});
