import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChance } from '../../scripts/retail-chance.ts';
import type { DataQuery } from '../../src/schema/data-query.ts';
import { loadSpace } from '../../src/space/load/load-space.ts';
import { loadTables } from '../../src/space/load/load-tables.ts';
import { createModel, type SpaceModel } from '../../src/space/model/model.ts';
import { compileQuery } from '../../src/space/sql/compile.ts';
import { type GuardedDatabase, openGuarded } from '../../src/space/sql/guarded-database.ts';
import { findDifference } from './compare-rows.ts';
import { compute, countedTable } from './compute.ts';
import { fillFrame, readFrames } from './frames.ts';
import { randomQuery } from './random-query.ts';
import { type Model, readShop } from './shop.ts';

const RETAIL = join(import.meta.dirname, '..', '..', 'agents', 'retail');
const folder = mkdtempSync(join(tmpdir(), 'holodeck-compile-'));
const shop = readShop();
const opened = new Map<string, { model: SpaceModel; database: GuardedDatabase }>();

/** Row counts have names of their own in the product's model. */
function withOwnNames(query: DataQuery, own: Model, { measures }: SpaceModel): DataQuery {
  const rename = (name: string) => {
    const table = measures.has(name) ? undefined : countedTable(own, name);
    const count = [...measures.values()].find((one) => one.isRowCount && one.table === table);
    return count?.name ?? name;
  };
  return {
    ...query,
    measures: query.measures.map((one) => ({ ...one, name: rename(one.name) })),
    order: query.order && { ...query.order, by: rename(query.order.by) },
  };
}

function differenceOf(own: Model, query: DataQuery): string | undefined {
  const space = opened.get(own.space);
  if (!space) throw new Error(`${own.space} is not open`);
  const months = new Set(['stock_history.month']);
  const { sql, parameters } = compileQuery(withOwnNames(query, own, space.model), { model: space.model, months });
  const found = findDifference(compute(own, query), space.database.query({ sql, parameters, maxRows: 50 }), query);
  return found === undefined ? undefined : `${JSON.stringify(query)}: ${found}`;
}

beforeAll(async () => {
  for (const { space } of shop) {
    const { file, tables } = await loadSpace(join(RETAIL, 'spaces', `${space}.yaml`), { root: RETAIL });
    const { path } = await loadTables(folder, space, tables);
    const names = tables.map(({ name }) => name);
    opened.set(space, { model: createModel(file), database: openGuarded(path, names) });
  }
});
afterAll(() => {
  for (const { database } of opened.values()) database.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('compiled queries over the retail data', () => {
  it('have the rows of a computation in plain JavaScript, for each sentence pattern', { timeout: 180_000 }, () => {
    const chance = createChance(20_261_116);
    const asked = readFrames().flatMap((frame) => {
      const filled = Array.from({ length: 2 }, () => fillFrame(frame, chance.pick(shop), chance));
      return filled.filter((one) => one !== undefined);
    });
    expect(asked.length).toBeGreaterThan(130);
    expect(asked.map(({ model, query }) => differenceOf(model, query)).filter(Boolean)).toEqual([]);
  });

  it('have the same rows for several measures, distinct entities, rankings in groups and named conditions', {
    timeout: 180_000,
  }, () => {
    const chance = createChance(20_261_117);
    const asked = Array.from({ length: 150 }, () => {
      const model = chance.pick(shop);
      return { model, query: randomQuery(model, chance) };
    });
    expect(asked.map(({ model, query }) => differenceOf(model, query)).filter(Boolean)).toEqual([]);
  });
});
