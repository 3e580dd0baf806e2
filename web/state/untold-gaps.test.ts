import { expect, it } from 'vitest';
import { untoldGaps } from './untold-gaps.ts';

const stock = { domain: 'stock_levels', reason: 'It broke.' };
const tool = { tool: 'delete_task', reason: 'There is no task “milk”.' };

it.each([
  ['says the reason and names the domain', [stock], 'Stock levels did not answer: **it broke**', []],
  ['says the reason of a tool', [tool], 'Sorry: there is no task "milk".', []],
  ['gives the reason of another domain', [stock], 'Sales: it broke.', [stock]],
  ['names the domain only', [stock], 'Nothing from stock_levels.', [stock]],
  ['has the reason only inside longer words', [stock], 'stock levels: unit brokers', [stock]],
  ['explains one failure of two', [stock, tool], 'There is no task milk.', [stock]],
])('an answer that %s', (_, gaps, answer, left) => {
  expect(untoldGaps(gaps, answer)).toEqual(left);
});
