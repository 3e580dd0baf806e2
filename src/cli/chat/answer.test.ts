import { describe, expect, it } from 'vitest';
import { failureText } from './answer.ts';

const FULL = 'The disk is full. Free some space and try again.';

describe('failureText', () => {
  it('is what went wrong when nothing has run', () => {
    expect(failureText(FULL, [])).toBe(FULL);
  });

  it('does not say "try again" when the outcome of a call is not known', () => {
    expect(failureText(FULL, ['add_task'])).toBe(
      'The disk is full. Whether add_task took effect is not recorded: look before you ask for it again.',
    );
  });
});
