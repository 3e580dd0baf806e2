import { expect, it } from 'vitest';
import { createDrawQueue } from './draw-queue.ts';

it('runs one step per frame, in order, without those that were taken out', () => {
  const frames: (() => void)[] = [];
  const ran: string[] = [];
  const queue = createDrawQueue((run) => frames.push(run));
  queue.add(() => ran.push('a'));
  const cancel = queue.add(() => ran.push('b'));
  queue.add(() => ran.push('c'));
  cancel();
  expect(frames.length).toBe(1);
  frames.shift()?.();
  expect([ran, frames.length]).toEqual([['a'], 1]);
  frames.shift()?.();
  expect([ran, frames.length]).toEqual([['a', 'c'], 0]);
});
