import { describe, expect, it } from 'vitest';
import { countUnaskedDeletions, readSentences, scoreSentences } from '../../scripts/eval-intents.ts';
import { scoreToolChoice } from '../../scripts/eval-tools.ts';

/** The quick part of `npm run eval:builtin`: fails when a change makes the model worse. */
describe('the built-in model', () => {
  const sentences = [...readSentences('sentences-heldout.tsv'), ...readSentences('intents/phrases.tsv')];

  it('understands what people say to a todo list', () => {
    const { intents, clarificationF1, slots } = scoreSentences(sentences);
    expect([intents >= 0.92, clarificationF1 >= 0.85, slots >= 0.93]).toEqual([true, true, true]);
  });

  it('deletes nothing that nobody asked to delete', () => {
    expect(countUnaskedDeletions([...sentences, ...readSentences('sentences-dev.tsv')])).toBe(0);
  });

  it('chooses tools by their schemas', () => {
    expect(scoreToolChoice('bfcl_multiple').right).toBeGreaterThanOrEqual(0.98);
  });
});
