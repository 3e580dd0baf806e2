import { expect, it } from 'vitest';
import { RunAgentInput } from '../../schema/fronts/agui.ts';
import { earlierMessages } from './agui-in.ts';

it('of 90,000 earlier messages only the newest are read', () => {
  let reads = 0;
  const earlier = Array.from({ length: 90_000 }, (_, index) => ({
    id: `m${index}`,
    role: 'user',
    get content() {
      reads++;
      return `${index}`;
    },
  }));
  const messages = [...earlier, { id: 'now', role: 'user', content: 'hi' }];
  const input = RunAgentInput.parse({ threadId: 'thread', runId: 'run', messages, tools: [], context: [] });
  const taken = earlierMessages(input);
  expect([taken.length, taken.at(-1)]).toMatchObject([2_000, { content: '89999', client_id: 'm89999' }]);
  expect(reads).toBeLessThan(10 * 2_000);
});
