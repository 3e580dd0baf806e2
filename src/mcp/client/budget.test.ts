import { expect, it } from 'vitest';
import { createFakeClock } from '../../clock.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { createOutputBudget } from './budget.ts';

it('lets a server send 256 MB at once and 50 MB in each second after that', async () => {
  const clock = createFakeClock();
  const output = createOutputBudget(clock, DEFAULT_LIMITS);
  const first = [output.take(256_000_000), output.take(1)];
  await clock.advance(1_000);
  const second = [output.take(50_000_000), output.take(1)];
  await clock.advance(60_000);
  const rested = [output.take(256_000_000), output.take(1)];
  expect([first, second, rested]).toEqual([
    [true, false],
    [true, false],
    [true, false],
  ]);
});
