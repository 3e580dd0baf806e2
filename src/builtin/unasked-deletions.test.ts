import { expect, it } from 'vitest';
import { countUnaskedDeletions, readSentences } from '../../scripts/eval-intents.ts';

/** The scores of the large sets, with their limits, are in `npm run eval:builtin`. */
it('deletes nothing without a request', () => {
  expect(countUnaskedDeletions(readSentences('sentences-heldout.tsv'))).toBe(0);
});
