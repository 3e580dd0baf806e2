import { describe, expect, it } from 'vitest';
import { describeWays } from './describe-ways.ts';

const base = { origin: 'http://127.0.0.1:8000', agent: 'todo assistant' };
const texts = (ways: ReturnType<typeof describeWays>) => ways.map(({ text }) => text).join('\n');

describe('describeWays', () => {
  it('names the conversation in every way', () => {
    const ways = describeWays({ ...base, needsToken: false, conversation: '01K9ABCDEFGHJKMNPQRSTVWXYZ' });
    expect(ways.map(({ text }) => text.includes('01K9ABCDEFGHJKMNPQRSTVWXYZ'))).toEqual([true, true, true, true]);
  });

  it('escapes the agent in addresses', () => {
    expect(texts(describeWays({ ...base, needsToken: false }))).toContain('/agent/todo%20assistant/chat');
  });

  it('names a variable for the token, and no terminal: it has another account', () => {
    const ways = describeWays({ ...base, needsToken: true });
    expect([texts(ways).includes('Bearer $TOKEN'), texts(ways).includes('holodeck chat')]).toEqual([true, false]);
  });
});
