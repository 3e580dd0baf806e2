import { expect, it } from 'vitest';
import { countUnaskedDeletions, readSentences } from './sentences-fixture.ts';

const HELD_OUT = new URL('../../test/fixtures/builtin/sentences-heldout.tsv', import.meta.url);

/** The scores of the large sets, with their limits, are in `npm run eval -- builtin`. */
it('deletes nothing without a request', () => {
  expect(countUnaskedDeletions(readSentences(HELD_OUT))).toBe(0);
});
