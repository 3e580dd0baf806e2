import { describe, expect, it } from 'vitest';
import { shownAnswer } from './shown-answer.ts';

const TEXT = 'Cedar leads.\n\n**Suggested next steps**\n\n- Who leaves carts?\n- What is the stock?\n';

describe('shownAnswer', () => {
  it('leaves out the questions that are shown as buttons', () => {
    expect(shownAnswer(TEXT, ['Who leaves carts?', 'What is the stock?'], false)).toBe('Cedar leads.');
  });

  it('keeps a list that is not the same as the buttons', () => {
    expect(shownAnswer(TEXT, ['Who leaves carts?'], false)).toBe(TEXT);
  });

  it('does not show the list while it arrives', () => {
    for (let length = 'Cedar leads.\n\n**Sugg'.length; length <= TEXT.length; length++) {
      expect(shownAnswer(TEXT.slice(0, length), [], true)).toBe('Cedar leads.');
    }
  });

  it('keeps other bold text while it arrives', () => {
    expect(shownAnswer('a\n\n**Summary** b', [], true)).toBe('a\n\n**Summary** b');
  });
});
