import { describe, expect, it } from 'vitest';
import { countUnaskedDeletions, readSentences, scoreSentences } from '../../scripts/eval-intents.ts';
import { partOf, readPublicCases, scoreToolCalls } from '../../scripts/eval-tools.ts';

/** The fast part of `npm run eval:builtin`: fails when a change makes the model worse. */
describe('the built-in model', () => {
  const sentences = [...readSentences('sentences-heldout.tsv'), ...readSentences('intents/phrases.tsv')];

  it('understands what people say to a todo list', () => {
    const { intents, clarificationF1, slots } = scoreSentences(sentences);
    expect([intents >= 0.92, clarificationF1 >= 0.85, slots >= 0.93]).toEqual([true, true, true]);
  });

  it('deletes nothing without a request', () => {
    expect(countUnaskedDeletions([...sentences, ...readSentences('sentences-dev.tsv')])).toBe(0);
  });

  it('chooses tools by their schemas', () => {
    expect(scoreToolCalls(readPublicCases('bfcl_multiple')).chosen).toBeGreaterThanOrEqual(0.98);
  });

  it('fills whole calls, and declines what no tool does', () => {
    const live = scoreToolCalls(partOf(readPublicCases('bfcl_live_multiple_first450'), 'held-out'));
    const none = readPublicCases('bfcl_live_irrelevance_first200', { hasTruth: false });
    const { declined } = scoreToolCalls(partOf(none, 'held-out'));
    expect([live.chosen >= 0.9, live.called >= 0.45, declined >= 0.8]).toEqual([true, true, true]);
  });
});
