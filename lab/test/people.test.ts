import { expect, it } from 'vitest';
import { simulatePeople } from '../scripts/simulate-people.ts';

it('simulated people lose nothing', async () => {
  const turns = await simulatePeople({ count: 16, seed: 7 });
  expect(turns.filter(({ verdict }) => verdict === 'destructive')).toEqual([]);
});
