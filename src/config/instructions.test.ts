import { describe, expect, it } from 'vitest';
import { layOutInstructions } from './instructions.ts';

const CLOSING =
  'Remember: help only with what your role and tools cover. For other requests, politely say what you can do.';

describe('layOutInstructions', () => {
  it('leaves out an empty list of rules, and the line about the user if no tool is bound', () => {
    const parts = { role: 'Be a guide!', rules: [], guidelines: ['Be brief '], tools: ' Use find.\n' };
    expect(layOutInstructions(parts, false)).toBe(
      ['Be a guide!', 'RESPONSE GUIDELINES:\n- Be brief', 'Use find.', CLOSING].join('\n\n'),
    );
  });
});
