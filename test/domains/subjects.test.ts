import { describe, expect, it } from 'vitest';
import { readSubjectQuestions, scoreSubjects } from '../../scripts/subject-questions.ts';
import { ask, openRetail } from './scene.ts';

const FILES = ['subjects.tsv', 'subjects-short.tsv', 'subjects-short-heldout.tsv'];
const LEAST_ANSWERED = 0.9;

describe('what a question asks for', () => {
  it.each(FILES)('is never answered by something else: %s', { timeout: 240_000 }, async (file) => {
    const runtime = await openRetail();
    const questions = readSubjectQuestions(new URL(`../../data/routing/${file}`, import.meta.url));
    const score = await scoreSubjects(questions, async (text) => (await ask(runtime, text)).result);
    expect(score.mistaken, JSON.stringify(score.misses)).toBe(0);
    expect(score.answered / score.answerable).toBeGreaterThanOrEqual(LEAST_ANSWERED);
  });

  it.each(['What is our revenue?', 'revenue last month'])(
    'is declined with the nearest questions where only a narrower figure is there: %s',
    async (question) => {
      const { result } = await ask(await openRetail(), question);
      expect(result).toMatchObject({ confidence: 'low', sources: [] });
      expect(result.content).toContain('I could not get an answer from the data.');
      expect(result.content).toContain('"How much revenue are we losing to stockouts?"');
    },
  );

  it('is told to be there in parts only, with low confidence', async () => {
    const { result } = await ask(await openRetail(), 'How many orders were placed?');
    const reason = 'There is no figure for the whole, only one for each channel.';
    expect(result.content.startsWith(`${reason} This answers: Show me purchase frequency by channel.\n\n`)).toBe(true);
    expect(result).toMatchObject({
      confidence: 'low',
      partial_results: true,
      error_details: [{ reason }],
      tool_calls: [{ result: { given_only_by: 'channel' } }],
    });
  });

  it('is put into other words where it is about one thing and not the lowest of several', async () => {
    const runtime = await openRetail();
    const one = await ask(runtime, 'What is the average rating of Aspen Boots?');
    const two = await ask(runtime, 'What is the average rating of Aspen Boots and Aspen Parka?');
    expect(one.result.content).toMatch(/^Aspen Boots is rated [\d.]+ of 5 stars in \d+ reviews, /);
    expect(two.result.content).toMatch(/^Aspen \w+ is rated lowest of them: /);
  });
});
