import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChance } from '../../scripts/retail-chance.ts';
import { DataQuery } from '../../src/schema/data-query.ts';
import { loadSpace } from '../../src/space/load/load-space.ts';
import { loadTables } from '../../src/space/load/load-tables.ts';
import { createModel, type SpaceModel } from '../../src/space/model/model.ts';
import { compileQuery } from '../../src/space/sql/compile.ts';
import { type GuardedDatabase, openGuarded } from '../../src/space/sql/guarded-database.ts';
import { findDifference } from './compare-rows.ts';
import { compute, countedTable } from './compute.ts';
import { fillFrame, readFrames } from './frames.ts';
import { entityOf, homeOf, readerTo } from './joins.ts';
import { type Measure, type Model, readShop, type Table } from './shop.ts';
import { dimensionsOf, PERIODS, valuesOf } from './vocabulary.ts';

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

type Chance = ReturnType<typeof createChance>;

/** Parts of a query that no sentence pattern has: several measures, distinct entities, named conditions, rankings within groups. */
function randomQuery(model: Model, chance: Chance): DataQuery {
  const measure = chance.pick([...model.measures.values()].filter(({ isLevel }) => !isLevel));
  const makers = [
    severalMeasures,
    distinctEntities,
    ratePerEntity,
    entitiesByFigure,
    entitiesWithout,
    rankWithin,
    named,
  ];
  const made = chance.pick(makers)(model, measure, chance);
  return made ?? DataQuery.parse({ measures: [{ name: measure.name }], ...conditions(model, measure.table, chance) });
}

/** Up to two values and a period that fit the table. */
function conditions(model: Model, base: string, chance: Chance) {
  const values = valuesOf(model, base);
  const count = values.length === 0 ? 0 : chance.whole(0, 2);
  const picked = Array.from({ length: count }, () => chance.pick(values));
  const filters = picked
    .filter((one, at) => picked.findIndex(({ dimension }) => dimension === one.dimension) === at)
    .map(({ dimension, value }) => ({ dimension, values: [value], negated: chance.number() < 0.3 }));
  const table = model.tables.get(base);
  const hasPeriod = table?.time !== undefined && table.label === undefined && chance.number() < 0.5;
  return { filters, ...(hasPeriod && { period: chance.pick(PERIODS) }) };
}

type Maker = (model: Model, measure: Measure, chance: Chance) => DataQuery | undefined;

const severalMeasures: Maker = (model, measure, chance) => {
  const others = [...model.measures.values()].filter(({ name, isLevel }) => name !== measure.name && !isLevel);
  const other = chance.pick(others);
  const shared = dimensionsOf(model, measure.table).filter(
    ({ name }) => homeOf(model, other.table, name) !== undefined,
  );
  if (shared.length === 0) return undefined;
  const dimension = chance.pick(shared).name;
  return DataQuery.parse({ measures: [{ name: measure.name }, { name: other.name }], dimensions: [dimension] });
};

/** Entities that the rows of a table belong to: customers among orders. */
function entitiesOf(model: Model, base: string): Table[] {
  return [...model.tables.values()].filter(
    ({ label, name }) => label !== undefined && name !== base && readerTo(model, base, name) !== undefined,
  );
}

const distinctEntities: Maker = (model, { table }, chance) => {
  const entities = entitiesOf(model, table);
  if (entities.length === 0) return undefined;
  const entity = chance.pick(entities).name;
  const dimensions = dimensionsOf(model, table).filter(({ name }) => entityOf(model, name) === undefined);
  const isGrouped = dimensions.length > 0 && chance.number() < 0.5;
  return DataQuery.parse({
    measures: [{ name: entity, among: table }],
    ...conditions(model, table, chance),
    ...(isGrouped && { dimensions: [chance.pick(dimensions).name] }),
  });
};

const ratePerEntity: Maker = (model, measure, chance) => {
  const entities = entitiesOf(model, measure.table);
  if (entities.length === 0 || measure.how !== 'sum') return undefined;
  const entity = chance.pick(entities);
  return DataQuery.parse({
    measures: [{ name: measure.name }],
    ...conditions(model, measure.table, chance),
    per: entity.names[0] ?? entity.name,
  });
};

const entitiesByFigure: Maker = (model, measure, chance) => {
  const entities = entitiesOf(model, measure.table);
  if (entities.length === 0 || measure.unit === 'percent') return undefined;
  const is = chance.pick(['more', 'less', 'at_least', 'at_most'] as const);
  const having = [{ measure: measure.name, is, value: chance.pick([0, 1, 3, 10, 100, 250, 1_000]) }];
  return DataQuery.parse({ measures: [{ name: chance.pick(entities).name }], having });
};

const entitiesWithout: Maker = (model, { table }, chance) => {
  const entities = entitiesOf(model, table);
  if (entities.length === 0 || model.tables.get(table)?.names.length === 0) return undefined;
  const isTimed = model.tables.get(table)?.time !== undefined && chance.number() < 0.7;
  const without = { table, period: isTimed ? chance.pick(PERIODS) : null };
  return DataQuery.parse({ measures: [{ name: chance.pick(entities).name }], without });
};

const rankWithin: Maker = (model, measure, chance) => {
  const dimensions = dimensionsOf(model, measure.table).map(({ name }) => name);
  if (dimensions.length < 2) return undefined;
  const [outer, inner] = [chance.pick(dimensions), chance.pick(dimensions)];
  if (outer === inner) return undefined;
  return DataQuery.parse({
    measures: [{ name: measure.name }],
    dimensions: [outer, inner],
    order: { by: measure.name, direction: 'highest' },
    limit: chance.whole(1, 3),
    limit_within: outer,
  });
};

const named: Maker = (model, measure, chance) => {
  const fitting = [...model.filters.values()].filter(({ columns, of, rows }) => {
    const [table = ''] = (columns[0] ?? rows ?? `${of}.`).split('.');
    return readerTo(model, measure.table, table) !== undefined;
  });
  if (fitting.length === 0) return undefined;
  const filter = { name: chance.pick(fitting).name, negated: chance.number() < 0.4 };
  return DataQuery.parse({
    measures: [{ name: measure.name }],
    ...conditions(model, measure.table, chance),
    named: [filter],
  });
};
