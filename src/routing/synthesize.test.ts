import { describe, expect, it } from 'vitest';
import { Domain } from '../schema/domain.ts';
import { synthesize } from './synthesize.ts';

const domain = Domain.parse({ name: 'stock', display_name: 'Stock', description: 'What is there', mcp_tools: ['ask'] });
const say = (result: string) => synthesize([{ domain, outcome: { result } }], { suggestions: [], unheard: [] });

describe('synthesize', () => {
  it('says the words of a result that was cut, and never fails at one that only looks so', () => {
    expect(say('{"title":"x","answer":"Nine \\"boots\\".","rows":[{"a"')).toBe('Nine "boots".');
    for (const broken of ['{"answer":"a\nb","rows":[', '{"answer":"\\x"', '{"answer":"']) {
      expect(say(broken)).toContain(broken.split('\n')[0]);
    }
  });
});
