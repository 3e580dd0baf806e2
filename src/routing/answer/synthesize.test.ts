import { describe, expect, it } from 'vitest';
import { Domain } from '../../schema/domain.ts';
import { synthesize } from './synthesize.ts';

const domain = Domain.parse({ name: 'stock', display_name: 'Stock', description: 'What is there', mcp_tools: ['ask'] });
const say = (result: string) => synthesize([{ domain, outcome: { result } }], { suggestions: [] });

describe('synthesize', () => {
  it('uses the answer text of a cut result, and never fails on text that only looks like one', () => {
    expect(say('{"title":"x","answer":"Nine \\"boots\\".","rows":[{"a"')).toBe('Nine "boots".');
    for (const broken of ['{"answer":"a\nb","rows":[', '{"answer":"\\x"', '{"answer":"']) {
      expect(say(broken)).toContain(broken.split('\n')[0]);
    }
  });
});
