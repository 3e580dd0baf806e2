import { describe, expect, it } from 'vitest';
import { Stoppable } from './stoppable.ts';

const silent = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };

describe('Stoppable', () => {
  it('stops waiting for a source that never answers', async () => {
    const source = new Stoppable(() => silent);
    const waiting = source.next();
    source.stop(new Error('enough'));
    source.stop(new Error('too late'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(source.next()).rejects.toThrow('enough');
  });

  it('releases a source that pauses until it is read again', async () => {
    let isLetGo = false;
    async function* count() {
      try {
        yield 1;
      } finally {
        isLetGo = true;
      }
    }
    const source = new Stoppable(count);
    await source.next();
    source.stop(new Error('enough'));
    await expect(source.next()).rejects.toThrow('enough');
    await expect.poll(() => isLetGo).toBe(true);
  });

  it('rejects with the error of opening', async () => {
    const source = new Stoppable(() => {
      throw new Error('closed');
    });
    await expect(source.next()).rejects.toThrow('closed');
  });

  it('returns the items and releases the source without waiting for it', async () => {
    let isLetGo = false;
    async function* count() {
      try {
        yield 1;
        yield 2;
        yield 3;
      } finally {
        isLetGo = true;
        await new Promise(() => {});
      }
    }
    const seen: number[] = [];
    for await (const value of new Stoppable(count)) {
      seen.push(value);
      if (value === 2) break;
    }
    expect([seen, isLetGo]).toEqual([[1, 2], true]);
  });
});
