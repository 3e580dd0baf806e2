import { describe, expect, it } from 'vitest';
import { createPlaces } from './places.ts';

describe('createPlaces', () => {
  it('lets in as many as fit, in the order of asking', async () => {
    const places = createPlaces(2);
    const entered: string[] = [];
    const enter = async (name: string, count: number) => {
      const giveBack = await places.take(count);
      entered.push(name);
      return giveBack;
    };
    const first = await enter('first', 1);
    const wide = enter('wide', 2);
    const last = enter('last', 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(entered).toEqual(['first']);
    first();
    (await wide)();
    await last;
    expect(entered).toEqual(['first', 'wide', 'last']);
  });

  it('gives nobody more than there are', async () => {
    const giveBack = await createPlaces(1).take(5);
    giveBack();
  });
});
