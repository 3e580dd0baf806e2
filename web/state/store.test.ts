import { expect, it } from 'vitest';
import { createStore } from './store.ts';

it('notifies its readers once for all changes of a frame, and not when nothing changed', () => {
  const frames: (() => void)[] = [];
  const store = createStore({ count: 0 }, (notify) => frames.push(notify));
  let notified = 0;
  const stop = store.subscribe(() => notified++);
  store.update((value) => value);
  expect(frames).toHaveLength(0);
  for (let step = 0; step < 100; step++) store.update(({ count }) => ({ count: count + 1 }));
  expect(frames).toHaveLength(1);
  expect(store.get()).toEqual({ count: 100 });
  frames[0]?.();
  expect(notified).toBe(1);
  stop();
  store.update(({ count }) => ({ count }));
  frames[1]?.();
  expect(notified).toBe(1);
});
