import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSpace } from '../../src/space/load/load-space.ts';
import { type Desk, openDesk } from './ask-retail.ts';
import { checkFigures } from './round-trip.ts';
import { readShop } from './shop.ts';

const SPACES = ['sales', 'stock', 'reviews'];
const shop = readShop();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
}, 120_000);
afterAll(() => desk.close());

describe('verified questions of the retail spaces', { timeout: 240_000 }, () => {
  it.each(SPACES)('of %s have high confidence and the figures of a plain computation over the rows', async (name) => {
    const { file } = await loadSpace(`agents/retail/spaces/${name}.yaml`, { root: 'agents/retail' });
    expect(file.verified.length).toBeGreaterThan(3);
    const faults: string[] = [];
    for (const { ask } of file.verified) {
      const answer = await desk.ask(ask);
      const { isComputed, difference } = checkFigures(answer, shop);
      if (answer.confidence !== 'high' || !isComputed || difference !== undefined)
        faults.push(`${ask}: ${answer.confidence}, ${difference ?? (isComputed ? 'equal' : 'not computed')}`);
    }
    expect(faults).toEqual([]);
  });
});
